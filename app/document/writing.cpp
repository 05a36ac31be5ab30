#include "app/document/writing.h"

#include "app/document/training_plan.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {

namespace {

struct FirstWriting {
  std::string_view model;
  const char *text, *source;
};

constexpr FirstWriting table[] = {
    // The verb of the clause moves to the end: that is what comes next.
    {"translate", "Anna sagt, dass er das Fenster", "Anna says that he opened the window."},
    // Another adjective at the end, and it is the dog.
    {"fill",
     "The dog didn't cross the river because it was too deep. What was too deep? The <|mask|> was too deep.",
     ""},
};

// A built-in model's name, or that of its folder.
const FirstWriting* find(std::string_view model) {
  while (model.ends_with('/')) model.remove_suffix(1);
  model.remove_prefix(model.rfind('/') + 1);
  for (const FirstWriting& each : table)
    if (each.model == model) return &each;
  return nullptr;
}

// Whether a model of this task goes on with any text.
bool readsProse(std::string_view task) { return task == "stories" || task == "text"; }

}  // namespace

std::string deskOf(std::string_view model) {
  if (isRun(model)) {
    const std::string task = taskOfRun(model);
    return readsProse(task) ? deskOf(task) : task;
  }
  const FirstWriting* found = find(model);
  return found ? std::string(found->model) : "";
}

std::optional<Writing> firstWriting(std::string_view model) {
  const std::string task = taskOfRun(model);
  if (const FirstWriting* found = find(isRun(model) ? task : model))
    return Writing(found->text, found->source);
  const TrainingTaskEntry* entry = isRun(model) ? findTrainingTask(task) : nullptr;
  if (!entry) return std::nullopt;
  return Writing(std::string(entry->prompt), std::string(entry->source));
}

}  // namespace glassformer
