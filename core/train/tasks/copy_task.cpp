#include "core/train/tasks/copy_task.h"

#include "core/train/tasks/question_task.h"

namespace glassformer {

std::shared_ptr<const TrainingTask> copyTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("copy", seed, steps > 0 ? steps : 1500, 21)};
  quiz.purpose =
      "Repeats a word: \"hello>hello\".\n\n## Data\n\nWords of 3 to 10 random letters "
      "(`core/train/tasks/copy_task.h`), generated from a seed; the loss counts the letters after `>`. A "
      "tenth of the words is held out from training; the numbers below are measured on these.\n";
  quiz.ask = [](Random& random) {
    const std::string word = randomLetters(random, 3 + random.below(8), lowerCase);
    return Example{.source = "", .prompt = word + ">", .answer = word, .ends = true};
  };
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
