#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// "hello>olleh": a word of 3 to 10 letters backwards. `steps` 0: as long as its recipe says.
std::shared_ptr<const TrainingTask> reverseTask(std::uint64_t seed, int steps);

}  // namespace glassformer
