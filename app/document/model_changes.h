#pragma once
#include <string>
#include <vector>

#include "core/model/choices.h"
#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// A field of the config that is set otherwise than in the model as it was loaded; both as in config.json.
struct ModelChange {
  std::string field, value;
  bool operator==(const ModelChange&) const = default;
};
using ModelChanges = std::vector<ModelChange>;

/// The config with the changes made. An error names the field that cannot be so.
Result<ModelConfig> changedConfig(const ModelConfig& loaded, const ModelChanges& changes);

/// The same changes with one field set, or left alone where `value` is what was loaded.
ModelChanges withChange(ModelChanges changes, const ModelConfig& loaded, const std::string& field,
                        const std::string& value);

/// What a field is now, as config.json would say it: "post", "4".
std::string valueOf(const ConfigChoice& choice, const ModelConfig& config);
std::string valueOf(const ConfigNumber& number, const ModelConfig& config);

/// Values of a number worth trying, smaller ones first, the present one among them.
std::vector<std::string> valuesToTry(const ConfigNumber& number, const ModelConfig& config);

}  // namespace glassformer
