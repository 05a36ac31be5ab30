#include "app/engine/training_origin.h"

#include <charconv>

#include "core/train/tasks/training_tasks.h"

namespace glassformer {

namespace {

// The word behind `what`; empty where that does not occur.
std::string_view wordBehind(std::string_view text, std::string_view what) {
  const std::size_t at = text.find(what);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + what.size());
  return rest.substr(0, rest.find_first_of(" `\n"));
}

constexpr std::string_view trainCommand = "`glassformer train ";

// The word behind an option of the command in a card's recipe; empty where there is none.
std::string_view trainedWith(std::string_view card, std::string_view option) {
  const std::size_t at = card.find(trainCommand);
  if (at == std::string_view::npos) return {};
  const std::string_view recipe = card.substr(at);
  return wordBehind(recipe.substr(0, recipe.find('`', 1)), option);
}

}  // namespace

TrainingOrigin trainingOrigin(std::string_view card) {
  const std::string_view task = wordBehind(card, trainCommand);
  if (task.empty() || !findTrainingTask(task)) return {};
  const std::string_view seed = trainedWith(card, "--seed ");
  TrainingOrigin origin{std::string(task)};
  std::from_chars(seed.data(), seed.data() + seed.size(), origin.seed);
  return origin;
}

std::optional<int> stepsTrained(std::string_view card) {
  const std::string_view digits = trainedWith(card, "--steps ");
  int steps = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), steps).ec != std::errc()) return {};
  return steps;
}

std::string taskName(const TrainingTask* task, const TrainingOrigin& origin) {
  return task ? task->recipe().task : origin.task;
}

std::shared_ptr<const TrainingTask> makeTask(const TrainingOrigin& origin) {
  const TrainingTaskEntry* entry = findTrainingTask(origin.task);
  return entry ? entry->make(origin.seed, 0) : nullptr;
}

}  // namespace glassformer
