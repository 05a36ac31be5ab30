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

}  // namespace

TrainingOrigin trainingOrigin(std::string_view card) {
  constexpr std::string_view command = "`glassformer train ";
  const std::string_view task = wordBehind(card, command);
  if (task.empty() || !findTrainingTask(task)) return {};
  const std::string_view recipe = card.substr(card.find(command));
  const std::string_view seed = wordBehind(recipe.substr(0, recipe.find('`', 1)), "--seed ");
  TrainingOrigin origin{std::string(task)};
  std::from_chars(seed.data(), seed.data() + seed.size(), origin.seed);
  return origin;
}

std::shared_ptr<const TrainingTask> makeTask(const TrainingOrigin& origin) {
  const TrainingTaskEntry* entry = findTrainingTask(origin.task);
  return entry ? entry->make(origin.seed, 0) : nullptr;
}

}  // namespace glassformer
