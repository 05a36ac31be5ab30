#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// The built-in model `induction`: random letters and then the same again (see repeats.h), in a model of
/// attention alone. `steps` 0: as it ships.
std::shared_ptr<const TrainingTask> inductionTask(std::uint64_t seed, int steps);

}  // namespace glassformer
