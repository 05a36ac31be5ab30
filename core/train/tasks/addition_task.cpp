#include "core/train/tasks/addition_task.h"

#include <algorithm>

#include "core/train/tasks/question_task.h"

namespace glassformer {
namespace {

// Of 1 to 3 digits, every length alike.
int number(Random& random) {
  constexpr int least[] = {0, 10, 100}, count[] = {10, 90, 900};
  const int digits = random.below(3);
  return least[digits] + random.below(count[digits]);
}

Example askSum(Random& random) {
  const int a = number(random), b = number(random);
  return {.source = "",
          .prompt = std::to_string(a) + "+" + std::to_string(b) + "=",
          .answer = std::to_string(a + b),
          .ends = true};
}

// 85+347 is held out where 347+85 is.
std::string summands(const Example& example) {
  const std::size_t plus = example.prompt.find('+');
  const std::string a = example.prompt.substr(0, plus),
                    b = example.prompt.substr(plus + 1, example.prompt.size() - plus - 2);
  return std::min(a, b) + "+" + std::max(a, b);
}

}  // namespace

std::shared_ptr<const TrainingTask> additionTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("addition", seed, steps > 0 ? steps : 6000, 12)};
  quiz.recipe.config.layers = 3;  // carries
  quiz.purpose =
      "Adds two numbers: \"347+85=432\".\n\n## Data\n\nNumbers of 1 to 3 digits "
      "(`core/train/tasks/addition_task.h`), seeded; only the sum counts, written as people write it, first "
      "digit first. A tenth of the pairs, in either order, is held out from training; the numbers below are "
      "measured on these.\n";
  quiz.ask = askSum;
  quiz.combination = summands;
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
