#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// "([]{>})": what is open is closed, the innermost bracket first (Dyck language). `steps` 0: as long as its
/// recipe says.
std::shared_ptr<const TrainingTask> bracketsTask(std::uint64_t seed, int steps);

}  // namespace glassformer
