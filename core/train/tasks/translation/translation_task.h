#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// The built-in model `translate`: an encoder-decoder as in Vaswani et al. 2017 (norms after the sum,
/// sinusoids, ReLU, one table for source, text and unembedding) that turns English into German. `steps` 0: as
/// it ships.
std::shared_ptr<const TrainingTask> translationTask(std::uint64_t seed, int steps);

/// How it is trained, without preparing its data: the vocabulary is the tokenizer's.
Recipe translationRecipe(std::uint64_t seed, int steps);

}  // namespace glassformer
