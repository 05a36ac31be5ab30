#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// "dacb>abcd": the letters of a word of 3 to 10 in the order of the alphabet, as often as it has them.
/// `steps` 0: as it ships.
std::shared_ptr<const TrainingTask> sortTask(std::uint64_t seed, int steps);

}  // namespace glassformer
