#include "core/train/tasks/reverse_task.h"

#include "core/train/tasks/question_task.h"

namespace glassformer {

std::shared_ptr<const TrainingTask> reverseTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("reverse", seed, steps > 0 ? steps : 1500, 21)};
  quiz.purpose =
      "Reverses a word: \"hello>olleh\".\n\n## Data\n\nWords of 3 to 10 random letters "
      "(`core/train/tasks/reverse_task.h`), generated from a seed; the loss counts the letters after `>`. A "
      "tenth of the words is held out from training; the numbers below are measured on these.\n";
  quiz.ask = [](Random& random) {
    const std::string word = randomLetters(random, 3 + random.below(8), lowerCase);
    return Example{.source = "", .prompt = word + ">", .answer = {word.rbegin(), word.rend()}, .ends = true};
  };
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
