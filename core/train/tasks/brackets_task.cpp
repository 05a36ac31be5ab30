#include "core/train/tasks/brackets_task.h"

#include "core/train/tasks/question_task.h"

namespace glassformer {
namespace {

constexpr std::string_view opening = "([{", closing = ")]}";
constexpr int bracketsLongest = 16, deepest = 6;

// Brackets of which some are still open, and what closes them, the innermost first. Going up is as likely as
// going down, so that every depth comes up.
Example askBrackets(Random& random) {
  std::string text, open;
  for (int length = 2 + random.below(bracketsLongest - 1); static_cast<int>(text.size()) < length;) {
    const bool up = open.empty() || (static_cast<int>(open.size()) < deepest && random.below(2) == 0);
    if (up) open += randomLetters(random, 1, opening);
    const char last = open.back();
    text += up ? last : closing[opening.find(last)];
    if (!up) open.pop_back();
  }
  if (open.empty()) return askBrackets(random);  // nothing to close
  std::string rest;
  for (auto bracket = open.rbegin(); bracket != open.rend(); ++bracket)
    rest += closing[opening.find(*bracket)];
  return {.source = "", .prompt = text + ">", .answer = rest, .ends = true};
}

}  // namespace

std::shared_ptr<const TrainingTask> bracketsTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("brackets", seed, steps > 0 ? steps : 2000, bracketsLongest + 1 + deepest)};
  quiz.purpose =
      "Closes what is open, the innermost bracket first: \"([]{>})\".\n\n## Data\n\nBeginnings of balanced "
      "texts of three kinds of brackets (a Dyck language), up to 16 brackets and 6 deep "
      "(`core/train/tasks/brackets_task.h`), generated from a seed; the loss counts the closing brackets. A "
      "tenth of the beginnings is held out from training; the numbers below are measured on these.\n";
  quiz.ask = askBrackets;
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
