#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// The built-in model `stories`: a decoder that tells stories and answers questions about them. `steps` 0: as
/// it ships.
std::shared_ptr<const TrainingTask> storiesTask(std::uint64_t seed, int steps);

/// How it is trained, without preparing its data: the vocabulary is the tokenizer's.
Recipe storiesRecipe(std::uint64_t seed, int steps);

}  // namespace glassformer
