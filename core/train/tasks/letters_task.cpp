#include "core/train/tasks/letters_task.h"

#include "core/text/characters.h"
#include "core/train/tasks/question_task.h"

namespace glassformer {

namespace {

constexpr int lettersLength = 4;
constexpr std::string_view firstLetters = "abcd";

Characters letterTokenizer() {
  std::vector<std::string> tokens;
  for (const char letter : firstLetters) tokens.emplace_back(1, letter);
  tokens.insert(tokens.end(),
                {">", std::string(Tokenizer::unknownName), std::string(Tokenizer::endOfTextName)});
  return *Characters::create(std::move(tokens));
}

}  // namespace

std::shared_ptr<const TrainingTask> lettersTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("letters", seed, steps > 0 ? steps : 4000, 2 * lettersLength)};
  ModelConfig& config = quiz.recipe.config;
  config.layers = 1, config.heads = 2, config.width = 6, config.feedForward = 12;
  config.context = 2 * lettersLength + 1;
  quiz.recipe.options.schedule.peak = 1e-2f;
  quiz.recipe.scale = {.embedding = 0.5f, .position = 0.5f};
  quiz.tokenizer = std::make_shared<const Characters>(letterTokenizer());
  quiz.purpose =
      "Reverses four letters: \"cabd>dbac\". One block, two heads, width 6: every matrix can be read number "
      "by number.\n\n## Data\n\nWords of four random letters from a to d "
      "(`core/train/tasks/letters_task.h`), 256 in all; the loss counts the letters after `>`. A tenth of "
      "the words is held out from training; the numbers below are measured on these.\n";
  quiz.ask = [](Random& random) {
    const std::string word = randomLetters(random, lettersLength, firstLetters);
    return Example{.source = "", .prompt = word + ">", .answer = {word.rbegin(), word.rend()}, .ends = false};
  };
  return std::make_shared<const QuestionTask>(std::move(quiz));
}

}  // namespace glassformer
