#include "app/engine/planned_run.h"

#include "core/io/text_task_file.h"
#include "core/train/tasks/training_tasks.h"
#include "core/train/training_numbers.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

Result<std::shared_ptr<const TrainingTask>> taskOf(const TrainingPlan& plan, const fs::path& text) {
  if (plan.task == textTaskName)
    return readTextTask(text.empty() ? fs::path(plan.file) : text,
                        plan.characters ? TextTokens::Character : TextTokens::BytePairs, plan.seed,
                        plan.steps);
  const TrainingTaskEntry* entry = findTrainingTask(plan.task);
  if (!entry) return Error{"no such task", plan.task, ""};
  return entry->make(plan.seed, plan.steps);
}

}  // namespace

Result<PlannedRun> planned(const TrainingPlan& plan, const StartingModel& start, const fs::path& text) {
  auto made = taskOf(plan, text);
  if (!made) return made.error();
  PlannedRun run{std::move(*made), {}};
  const TrainingTask& task = *run.task;
  if (start.model && !(*start.tokenizer == task.tokenizer()))
    return Error{"the open model reads other tokens than " + plan.task + " is written in", "model",
                 "begin with random weights"};
  // The second side is the first, changed.
  const auto add = [&](Recipe from, const RecipeChanges& changes) -> Status {
    auto recipe = changedRecipe(std::move(from), changes);
    if (!recipe) return recipe.error();
    recipe->choices = changedFields(task.recipe().config, recipe->config);
    recipe->numbers = changedNumbers(task.recipe(), *recipe);
    if (Status fits = checkRecipe(task, *recipe); !fits) return fits;
    run.recipes.push_back(*std::move(recipe));
    return success();
  };
  Recipe begun = task.recipe();
  if (start.model) begun.config = start.model->config();
  if (Status status = add(std::move(begun), changesOf(plan)); !status) return status.error();
  if (plan.two)
    if (Status status = add(run.recipes[0], otherChangesOf(plan)); !status) return status.error();
  return run;
}

}  // namespace glassformer
