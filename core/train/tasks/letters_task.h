#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// "cabd>dbac": four letters backwards, in a model of which every matrix can be read number by number. Its
/// tokens are the letters a to d, the sign, and two that a text has no other use for. `steps` 0: as it ships.
std::shared_ptr<const TrainingTask> lettersTask(std::uint64_t seed, int steps);

}  // namespace glassformer
