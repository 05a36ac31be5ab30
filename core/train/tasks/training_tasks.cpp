#include "core/train/tasks/training_tasks.h"

#include <array>

#include "core/train/tasks/fill/fill_task.h"
#include "core/train/tasks/stories_task.h"
#include "core/train/tasks/translation/translation_task.h"

namespace glassformer {

std::span<const TrainingTaskEntry> trainingTasks() {
  static constexpr std::array all{
      TrainingTaskEntry{"stories", "the next word of short stories", storiesTask},
      TrainingTaskEntry{"translate", "English to German", translationTask},
      TrainingTaskEntry{"fill", "the masked words of short stories", fillTask},
  };
  return all;
}

const TrainingTaskEntry* findTrainingTask(std::string_view id) {
  for (const TrainingTaskEntry& entry : trainingTasks())
    if (entry.id == id) return &entry;
  return nullptr;
}

}  // namespace glassformer
