#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// The built-in model `fill`: an encoder that sees a whole story and fills in masked words (Devlin et al.
/// 2018). `steps` 0: as it ships.
std::shared_ptr<const TrainingTask> fillTask(std::uint64_t seed, int steps);

/// How it is trained, without preparing its data: the vocabulary is the tokenizer's.
Recipe fillRecipe(std::uint64_t seed, int steps);

}  // namespace glassformer
