#include "core/train/tasks/sort_task.h"

#include <algorithm>

#include "core/model/positional/rotary.h"
#include "core/train/tasks/question_task.h"

namespace glassformer {

std::shared_ptr<const TrainingTask> sortTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("sort", seed, steps > 0 ? steps : 2500, 21)};
  quiz.recipe.config.positions = &rotaryPositions();
  quiz.purpose =
      "Sorts the letters of a word: \"dacb>abcd\".\n\n## Data\n\nWords of 3 to 10 random letters "
      "(`core/train/tasks/sort_task.h`), generated from a seed; a letter may come more than once. The loss "
      "counts the letters after `>`. A tenth of the words is held out from training; the numbers below are "
      "measured on these.\n";
  quiz.ask = [](Random& random) {
    const std::string word = randomLetters(random, 3 + random.below(8), lowerCase);
    std::string sorted = word;
    std::ranges::sort(sorted);
    return Example{.source = "", .prompt = word + ">", .answer = sorted, .ends = true};
  };
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
