#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/choices.h"
#include "core/model/config.h"
#include "core/model/named_blocks.h"
#include "core/result.h"

namespace glassformer {

/// A field of the config that is set otherwise than in the model as it was loaded; both as in config.json.
/// One field more, `weights`, takes random ones in place of the "trained" ones: "random", or "random 7" for
/// another seed than 1. And every single weight is a field: "wte.weight[3, 7]", for one that is typed over.
struct ModelChange {
  std::string field, value;
  bool operator==(const ModelChange&) const = default;
};
using ModelChanges = std::vector<ModelChange>;

inline constexpr const char *weightsField = "weights", *trainedWeights = "trained";
/// What the weights are: `trainedWeights`, or random.
std::string weightsOf(const ModelChanges& changes);
/// Where the weights are random: from which seed.
std::optional<std::uint64_t> randomWeights(const ModelChanges& changes);

/// A single weight by its tensor's name and its place in it.
struct WeightCell {
  std::string tensor;
  std::vector<int> index;

  std::string field() const;  ///< "wte.weight[3, 7]"
};
/// Which weight a field names; nothing where it is another field.
std::optional<WeightCell> weightAt(const std::string& field);
/// Whether a change types over that weight, and with which number.
std::optional<float> typedWeight(const ModelChanges& changes, const std::string& field);

/// The config with the changes made. An error names the field that cannot be so.
Result<ModelConfig> changedConfig(const ModelConfig& loaded, const ModelChanges& changes);

/// The same changes with one field set, or left alone where `value` is what was loaded; a single weight is,
/// where `value` is empty. Choices that make no difference then are as they were loaded where they would
/// stand against it.
ModelChanges withChange(ModelChanges changes, const ModelConfig& loaded, const std::string& field,
                        const std::string& value);

/// The same changes with blocks of that kind: what another kind would need is as it was loaded.
ModelChanges withBlock(ModelChanges changes, const ModelConfig& loaded, const NamedBlock& block);

/// What the changes made of the config that was loaded, as people read it: "Residual connection off".
std::string changesInWords(const ModelChanges& changes, const ModelConfig& loaded,
                           const ModelConfig& changed);

/// Values of a number worth trying, smaller ones first, the present one among them.
std::vector<std::string> valuesToTry(const ConfigNumber& number, const ModelConfig& config);

}  // namespace glassformer
