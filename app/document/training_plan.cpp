#include "app/document/training_plan.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>
#include <vector>

#include "core/model/choices.h"
#include "core/train/tasks/text_task.h"
#include "core/train/tasks/training_tasks.h"
#include "core/train/training_numbers.h"

namespace glassformer {

namespace {

std::string valueIn(const ModelChanges& changes, const std::string& field) {
  const auto found = std::ranges::find(changes, field, &ModelChange::field);
  return found == changes.end() ? "" : found->value;
}

void setIn(ModelChanges& changes, const std::string& field, const std::string& value) {
  std::erase_if(changes, [&](const ModelChange& change) { return change.field == field; });
  if (!value.empty()) changes.push_back({field, value});
}

constexpr std::initializer_list<ScheduleKind> scheduleKinds{ScheduleKind::Constant, ScheduleKind::Cosine,
                                                            ScheduleKind::InverseSqrt};

// Small at the beginning, but for names: "warmup steps", "RoPE base".
std::string startingSmall(std::string name) {
  const std::string_view first = std::string_view(name).substr(1, name.find(' ') - 1);
  if (std::ranges::any_of(first, [](char c) { return c >= 'A' && c <= 'Z'; })) return name;
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name;
}

}  // namespace

std::string taskOfRun(std::string_view run) {
  run.remove_prefix(isRun(run) ? runPrefix.size() : 0);
  return std::string(run.substr(0, run.rfind('-')));
}

std::optional<Recipe> ownRecipe(const TrainingPlan& plan) {
  if (plan.task == textTaskName) return textRecipe(plan.seed, plan.steps);
  const TrainingTaskEntry* entry = findTrainingTask(plan.task);
  return entry ? std::optional(entry->recipe(plan.seed, plan.steps)) : std::nullopt;
}

std::string asked(const TrainingPlan& plan, const TrainingNumber& number) {
  if (number.id == "steps") return plan.steps > 0 ? std::to_string(plan.steps) : "";
  if (number.id == "seed") return std::to_string(plan.seed);
  return number.field.empty() ? valueIn(plan.numbers, number.id) : valueIn(plan.changes, number.field);
}

void ask(TrainingPlan& plan, const TrainingNumber& number, const std::string& value) {
  if (number.id == "steps")
    plan.steps = value.empty() ? 0 : std::stoi(value);
  else if (number.id == "seed")
    plan.seed = value.empty() ? TrainingPlan{}.seed : std::stoull(value);
  else if (number.field.empty())
    setIn(plan.numbers, number.id, value);
  else
    setIn(plan.changes, number.field, value);
}

TrainingPlan planBeside(const TrainingPlan& plan) {
  return {.task = plan.task,
          .changes = plan.otherChanges,
          .schedule = plan.otherSchedule,
          .numbers = plan.otherNumbers};
}

void setPlanBeside(TrainingPlan& plan, const TrainingPlan& beside) {
  plan.otherChanges = beside.changes, plan.otherSchedule = beside.schedule,
  plan.otherNumbers = beside.numbers;
}

bool hasTwins(const TrainingPlan& plan) {
  return plan.two && plan.otherChanges.empty() && plan.otherSchedule.empty() && plan.otherNumbers.empty();
}

TrainingPlan spelledOut(TrainingPlan plan) {
  const std::optional<Recipe> own = ownRecipe(plan);
  const auto whole = Schedule::parse(plan.schedule);
  if (own && (whole || plan.schedule == noWarmup)) {
    const bool isOtherKind = whole && whole->kind != own->options.schedule.kind;
    const std::string kind = isOtherKind ? nameOf(whole->kind) : "";
    const auto said = changedRecipe(*own, {plan.changes, plan.schedule, {}}),
               alone = changedRecipe(*own, {plan.changes, kind, {}});
    if (!said || !alone) return plan;
    plan.schedule = kind;
    for (const TrainingNumber& number : trainingNumbers())
      if (number.section == TrainingSection::LearningRate && asked(plan, number).empty() &&
          valueOf(number, *said) != valueOf(number, *alone))
        ask(plan, number, valueOf(number, *said));
  }
  if (plan.otherSchedule == noWarmup) plan.otherSchedule.clear(), setIn(plan.otherNumbers, "warmup", "0");
  return plan;
}

std::string planInWords(const TrainingPlan& plan) {
  std::string words;
  const auto add = [&](const std::string& more) { words += (words.empty() ? "" : ", ") + more; };
  const TrainingPlan spelled = spelledOut(plan);
  const std::optional<Recipe> own = ownRecipe({.task = plan.task});
  const auto recipe = own ? changedRecipe(*ownRecipe(plan), changesOf(spelled)) : Result<Recipe>(Error{});
  if (!recipe) return words;
  if (!spelled.schedule.empty()) add("schedule " + spelled.schedule);
  for (const TrainingNumber& number : trainingNumbers())
    if (number.matters(*recipe) && valueOf(number, *recipe) != valueOf(number, *own))
      add(startingSmall(number.name) + " " + valueInWords(number, *recipe));
  for (const ConfigChoice& choice : configChoices())
    if (choice.get(recipe->config) != choice.get(own->config))
      add(startingSmall(choice.name) + ": " +
          choice.options[static_cast<std::size_t>(choice.get(recipe->config))].name);
  return words;
}

namespace {

// The numbers and choices in which two runs differ, by their names; several of one click, as a block sets
// them.
std::string differenceInWords(const TrainingPlan& a, const TrainingPlan& b) {
  std::vector<std::string> changed;
  for (const TrainingNumber& number : trainingNumbers())
    if (asked(a, number) != asked(b, number)) changed.push_back(startingSmall(number.name));
  if (a.schedule != b.schedule) changed.emplace_back("schedule");
  for (const ConfigChoice& choice : configChoices())
    if (valueIn(a.changes, choice.id) != valueIn(b.changes, choice.id))
      changed.push_back(startingSmall(choice.name));
  return changed.size() > 1 ? "several numbers" : changed.empty() ? "" : changed.front();
}

}  // namespace

std::string changeInWords(const TrainingPlan& before, const TrainingPlan& after) {
  if (before.task != after.task) return "task";
  if (before.file != after.file) return "text to learn";
  if (before.characters != after.characters) return "tokens of the text";
  if (before.keepsModel != after.keepsModel) return "initial weights";
  if (before.two != after.two) return after.two ? "a second run" : "no second run";
  const std::string first = differenceInWords(before, after),
                    second = differenceInWords(planBeside(before), planBeside(after));
  if (!first.empty() && !second.empty()) return "both runs";
  if (second.empty()) return first.empty() && before != after ? "the plan" : first;
  return second + " of the second run";
}

Result<Schedule> changedSchedule(const Schedule& own, const std::string& words) {
  if (words.empty()) return own;
  if (const auto whole = Schedule::parse(words)) return *whole;
  if (words == noWarmup) {
    Schedule changed = own;
    changed.warmup = 0;
    return changed;
  }
  for (const ScheduleKind kind : scheduleKinds)
    if (words == nameOf(kind)) return own.as(kind);
  return Error{"is not a schedule", words,
               "\"no warm-up\", constant, cosine, transformer2017, or one with its numbers: \"" +
                   own.description() + "\""};
}

Recipe shownRecipe(Recipe recipe, const RecipeChanges& changes) {
  for (const ModelChange& change : changes.config)
    if (Status set = setField(recipe.config, change.field, change.value); !set) continue;
  Schedule& schedule = recipe.options.schedule;
  if (const auto changed = changedSchedule(schedule, changes.schedule)) schedule = *changed;
  schedule.steps = recipe.steps, schedule.width = recipe.config.width;
  for (const TrainingNumber& number : trainingNumbers())  // in the order in which they build on each other
    if (Status set = setNumber(recipe, number.id, valueIn(changes.numbers, number.id)); !set) continue;
  return recipe;
}

Result<Recipe> changedRecipe(Recipe recipe, const RecipeChanges& changes) {
  if (const auto config = changedConfig(recipe.config, changes.config); !config) return config.error();
  if (const auto schedule = changedSchedule(recipe.options.schedule, changes.schedule); !schedule)
    return schedule.error();
  for (const ModelChange& change : changes.numbers) {
    Recipe tried = recipe;
    if (Status set = setNumber(tried, change.field, change.value); !set) return set.error();
  }
  return shownRecipe(std::move(recipe), changes);
}

}  // namespace glassformer
