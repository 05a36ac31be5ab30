#pragma once
#include <filesystem>
#include <memory>
#include <optional>

#include "core/model/transformer.h"
#include "core/result.h"

namespace glassformer {

/// A model as it was after a step of its training.
struct KeptStep {
  int step = 0;
  std::shared_ptr<const Transformer> model;
};

/// The weights that lie in a folder of a training: a kept run's, of which there are many; or what `train
/// --out` has written, the checkpoint that it goes on from or the model that it ended with, or what the run
/// of the window ended with. `step`: the one that is wanted; without it the newest. An error names the folder
/// and what lies there.
Result<KeptStep> keptStep(const std::filesystem::path& folder, std::optional<int> step);

}  // namespace glassformer
