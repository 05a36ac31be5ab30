#include "app/document/tab_text.h"

#include "app/document/trace_file.h"
#include "app/document/training_plan.h"
#include "core/io/worked_example.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {

namespace {

constexpr const char* tracesDesk = "traces";

// The built-in model that does as "letters" with linear attention.
constexpr std::string_view linearModel = "linear", lettersTaskId = "letters";

// The task that a model was made for, by its folder's name or that of the family it belongs to:
// "positions/rotary". Stories go on with any text, so that they have no desk of their own.
const TrainingTaskEntry* taskOf(std::string_view model) {
  const std::string task = taskOfRun(model);
  if (isRun(model)) model = task;
  for (int levels = 0; levels < 2; ++levels) {
    while (model.ends_with('/')) model.remove_suffix(1);
    const std::size_t name = model.rfind('/') + 1;
    const std::string_view own = model.substr(name);
    const TrainingTaskEntry* found = findTrainingTask(own == linearModel ? lettersTaskId : own);
    if (found) return found->id == "stories" ? nullptr : found;
    model = model.substr(0, name);
  }
  return nullptr;
}

// The model of the worked example, by its folder's name.
bool isWorkedExample(std::string_view model) {
  while (model.ends_with('/')) model.remove_suffix(1);
  return model.substr(model.rfind('/') + 1) == workedExampleName;
}

}  // namespace

std::string deskOf(std::string_view model) {
  if (isTraceFile(model)) return tracesDesk;
  if (isWorkedExample(model)) return workedExampleName;
  const TrainingTaskEntry* task = taskOf(model);
  return task ? std::string(task->id) : "";
}

std::optional<TabText> firstWriting(std::string_view model) {
  if (isTraceFile(model)) return TabText("");
  if (isWorkedExample(model)) return TabText(workedExampleText);
  const TrainingTaskEntry* task = taskOf(model);
  if (!task) return std::nullopt;
  return TabText(std::string(task->prompt), std::string(task->source));
}

std::optional<FirstHead> firstHead(std::string_view model) {
  if (isWorkedExample(model)) return FirstHead{.query = 0};
  const TrainingTaskEntry* task = taskOf(model);
  if (!task || task->layer < 0) return std::nullopt;
  return FirstHead{task->layer, task->head};
}

}  // namespace glassformer
