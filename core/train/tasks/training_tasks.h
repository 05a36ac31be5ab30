#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/train/training_task.h"

namespace glassformer {

/// A task that can be trained, by name.
struct TrainingTaskEntry {
  std::string_view id, meaning;
  std::shared_ptr<const TrainingTask> (*make)(std::uint64_t seed, int steps);
};
/// Every task, in the order in which menus show them.
std::span<const TrainingTaskEntry> trainingTasks();
/// Null when there is none of that name.
const TrainingTaskEntry* findTrainingTask(std::string_view id);

}  // namespace glassformer
