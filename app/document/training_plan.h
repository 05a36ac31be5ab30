#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/document/model_changes.h"
#include "core/result.h"

namespace glassformer {

/// A training run as it is set up, before it begins.
struct TrainingPlan {
  std::string task = "induction";  ///< id in core/train/tasks/training_tasks.cpp
  std::string file;                ///< what the task "text" is to learn
  bool characters = true;          ///< its tokens; false: byte pairs
  bool keepsModel = false;         ///< begins with the open model, not with random weights
  std::uint64_t seed = 1;
  int steps = 0;         ///< 0: as many as the recipe has
  ModelChanges changes;  ///< of the recipe's config
  /// The recipe's, where it is empty; its kind alone ("constant") or "no warm-up" changes only that; else see
  /// Schedule::description().
  std::string schedule;
  /// Numbers that the recipe has otherwise, by their name in trainingNumbers(), besides those of the model.
  ModelChanges numbers;

  std::string from;  ///< "sort-2, step 512": where it branched off; empty: it began by itself

  // A second run beside it, from the same seed and on the same data.
  bool two = false;
  ModelChanges otherChanges;  ///< of its config, besides those above
  std::string otherSchedule;  ///< what of the first's is otherwise; empty: nothing
  ModelChanges otherNumbers;  ///< what of the first's is

  bool operator==(const TrainingPlan&) const = default;
};

/// The task that learns any text file; it is not among the others, for it needs the file.
inline constexpr std::string_view textTaskName = "text";
inline constexpr std::string_view noWarmup = "no warm-up";

struct Recipe;
struct Schedule;
struct TrainingNumber;

/// The recipe that a plan changes, with its seed and steps; nothing where there is no such task. The
/// vocabulary is the tokenizer's, which is made with the data.
std::optional<Recipe> ownRecipe(const TrainingPlan& plan);
/// What a plan asks of a number, as text; empty where it leaves it to the recipe.
std::string asked(const TrainingPlan& plan, const TrainingNumber& number);
/// Asks for a number; an empty value leaves it to the recipe.
void ask(TrainingPlan& plan, const TrainingNumber& number, const std::string& value);
/// What the second run of a plan has otherwise than the first, as a plan of its own; and takes it over.
/// Neither has steps or a seed of its own.
TrainingPlan planBeside(const TrainingPlan& plan);
void setPlanBeside(TrainingPlan& plan, const TrainingPlan& beside);
/// Whether two runs are asked for that are the same.
bool hasTwins(const TrainingPlan& plan);
/// The same plan with the numbers of its schedules one by one, as the set-up shows them.
TrainingPlan spelledOut(TrainingPlan plan);
/// "batch size 32, β₂ 0.999, warm-up none": what a plan has otherwise than the recipe; empty: nothing.
std::string planInWords(const TrainingPlan& plan);

/// "batch size", "a second run": what was changed of a plan, as the history calls it; empty: nothing.
std::string changeInWords(const TrainingPlan& before, const TrainingPlan& after);

/// A recipe's schedule with what TrainingPlan::schedule asks for; an error says what can be.
Result<Schedule> changedSchedule(const Schedule& own, const std::string& words);

/// What a run has otherwise than the recipe it is made from.
struct RecipeChanges {
  ModelChanges config;
  std::string schedule;
  ModelChanges numbers;
};
/// The recipe with the changes made. An error names what cannot be so; whether the data fit, checkRecipe()
/// says.
Result<Recipe> changedRecipe(Recipe recipe, const RecipeChanges& changes);
/// The same, whether or not it can be trained: what a set-up shows while it is changed. What is no value of a
/// field is left out.
Recipe shownRecipe(Recipe recipe, const RecipeChanges& changes);
/// Of the first run of a plan, and of the one beside it: that of the first, changed.
inline RecipeChanges changesOf(const TrainingPlan& plan) {
  return {plan.changes, plan.schedule, plan.numbers};
}
inline RecipeChanges otherChangesOf(const TrainingPlan& plan) {
  return {plan.otherChanges, plan.otherSchedule, plan.otherNumbers};
}

/// Models that are being trained are named like this, all others not: "run:sort-2".
inline constexpr std::string_view runPrefix = "run:";
inline bool isRun(std::string_view model) { return model.starts_with(runPrefix); }
/// "sort" of "run:sort-2".
std::string taskOfRun(std::string_view run);

}  // namespace glassformer
