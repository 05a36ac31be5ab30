#include "core/train/tasks/copy_task.h"

#include "core/train/tasks/question_task.h"

namespace glassformer {

std::shared_ptr<const TrainingTask> copyTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("copy", seed, steps > 0 ? steps : 1500, 21)};
  quiz.purpose =
      "Says a word again: \"hello>hello\".\n\n## Data\n\nWords of 3 to 10 random letters "
      "(`core/train/tasks/copy_task.h`), endlessly many and seeded; only the letters behind the sign count. "
      "A tenth of the words never appears in training and is what the numbers below are measured on.\n";
  quiz.ask = [](Random& random) {
    const std::string word = randomLetters(random, 3 + random.below(8), lowerCase);
    return Example{.source = "", .prompt = word + ">", .answer = word, .ends = true};
  };
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
