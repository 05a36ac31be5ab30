#include "app/engine/planned_run.h"

#include <algorithm>

#include "core/io/text_task_file.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

Result<std::shared_ptr<const TrainingTask>> taskOf(const TrainingPlan& plan, const fs::path& text) {
  if (plan.task == textTaskName)
    return readTextTask(text.empty() ? fs::path(plan.file) : text,
                        plan.characters ? TextTokens::Character : TextTokens::BytePairs, plan.seed,
                        plan.steps);
  const TrainingTaskEntry* entry = findTrainingTask(plan.task);
  if (!entry) return Error{"there is no task of that name", plan.task, ""};
  return entry->make(plan.seed, plan.steps);
}

}  // namespace

Result<Schedule> changedSchedule(const Schedule& own, const std::string& words) {
  if (words.empty()) return own;
  if (const auto whole = Schedule::parse(words)) return *whole;
  if (words == noWarmup) {
    Schedule changed = own;
    changed.warmup = 0;
    return changed;
  }
  for (const ScheduleKind kind :
       {ScheduleKind::Constant, ScheduleKind::Cosine, ScheduleKind::Transformer2017})
    if (words == nameOf(kind)) return own.as(kind);
  return Error{"is no schedule", words,
               "\"no warm-up\", constant, cosine, transformer2017, or one with its numbers: \"" +
                   own.description() + "\""};
}

Result<PlannedRun> planned(const TrainingPlan& plan, const StartingModel& start, const fs::path& text) {
  auto made = taskOf(plan, text);
  if (!made) return made.error();
  PlannedRun run{std::move(*made), {}};
  const TrainingTask& task = *run.task;
  ModelConfig begun = task.recipe().config;
  if (start.model) {
    if (!(*start.tokenizer == task.tokenizer()))
      return Error{"the open model reads other tokens than " + plan.task + " is written in", "model",
                   "begin with random weights"};
    begun = start.model->config();
  }
  // The second side's schedule is the first's, changed, as its config is.
  const auto add = [&](const ModelChanges& changes, const std::string& schedule) -> Status {
    const auto config = changedConfig(begun, changes);
    if (!config) return config.error();
    auto recipe = recipeFor(task, *config);
    if (!recipe) return recipe.error();
    const Schedule own = run.recipes.empty() ? recipe->options.schedule : run.recipes[0].options.schedule;
    const auto changed = changedSchedule(own, schedule);
    if (!changed) return changed.error();
    recipe->options.schedule = *changed;
    recipe->options.schedule.steps = recipe->steps;
    recipe->options.schedule.width = config->width;
    run.recipes.push_back(std::move(*recipe));
    return success();
  };
  if (Status status = add(plan.changes, plan.schedule); !status) return status.error();
  if (!plan.two) return run;
  ModelChanges both = plan.changes;
  for (const ModelChange& change : plan.otherChanges) {
    std::erase_if(both, [&](const ModelChange& own) { return own.field == change.field; });
    both.push_back(change);
  }
  if (Status status = add(both, plan.otherSchedule); !status) return status.error();
  return run;
}

}  // namespace glassformer
