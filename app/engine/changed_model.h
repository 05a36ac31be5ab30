#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/document/model_changes.h"
#include "core/model/transformer.h"
#include "core/watch.h"

namespace glassformer {

/// A model with some choices made otherwise than it was loaded.
struct ChangedModel {
  std::shared_ptr<const Transformer> transformer;  ///< what was loaded itself, where nothing is changed
  std::vector<std::string> freshWeights;           ///< what is random again, by name
  std::int64_t freshValues = 0;                    ///< how many numbers that are
};

/// Keeps the weights that still fit; the others are the same for the same changes. An error names the field
/// that cannot be so. `watch` is told how far the random weights are.
Result<ChangedModel> changedModel(std::shared_ptr<const Transformer> loaded, const ModelChanges& changes,
                                  const ProgressCallback& watch = noProgress);

}  // namespace glassformer
