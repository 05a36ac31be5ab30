#include "core/train/tasks/positions_task.h"

#include <cstdio>

#include "core/train/tasks/repeats.h"

namespace glassformer {
namespace {

constexpr int positionsShortest = 4,
              positionsLongest = longestInTraining / 2;  // letters until they are said again
constexpr int times[] = {1, 2, 4};                       // the length trained at
constexpr int measuredTexts = 1000;

class PositionsTask final : public QuestionTask {
 public:
  using QuestionTask::QuestionTask;

 private:
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const ProgressCallback& watch) const override {
    const std::vector<double> shares =
        extrapolation(model, tokenizer(), recipe().seed + 1000, measuredTexts, threads, watch);
    std::string text = "## Measured on " + std::to_string(measuredTexts) +
                       " held-out texts of each length\n\n| accuracy of repeated letters | |\n|---|---|\n";
    for (std::size_t i = 0; i < std::size(times); ++i) {
      char row[100];
      std::snprintf(
          row, sizeof row, "| %d tokens%s | %.1f %% |\n", 2 * positionsLongest * times[i],
          i == 0 ? ", the most in training" : (", " + std::to_string(times[i]) + " times as many").c_str(),
          100 * shares[i]);
      text += row;
    }
    return text;
  }
};

}  // namespace

double shareOfRepeats(const std::shared_ptr<const Transformer>& model, const Tokenizer& tokenizer,
                      int letters, std::uint64_t seed, int texts, int threads,
                      const ProgressCallback& watch) {
  Random random(mix(seed + static_cast<std::uint64_t>(letters / positionsLongest)));
  std::vector<Example> repeats;
  while (static_cast<int>(repeats.size()) < texts)
    if (Example example = repeatedLetters(random, letters); isHeldOut(example.prompt))
      repeats.push_back(std::move(example));
  return measureRepeats(model, tokenizer, repeats, threads, watch).share();
}

std::vector<double> extrapolation(const std::shared_ptr<const Transformer>& model, const Tokenizer& tokenizer,
                                  std::uint64_t seed, int texts, int threads, const ProgressCallback& watch) {
  constexpr int lengths = static_cast<int>(std::size(times));
  std::vector<double> shares;
  for (int i = 0; i < lengths; ++i) {
    shares.push_back(shareOfRepeats(model, tokenizer, positionsLongest * times[i], seed, texts, threads,
                                    partOf(watch, i, lengths)));
  }
  return shares;
}

std::shared_ptr<const TrainingTask> positionsTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("positions", seed, steps > 0 ? steps : 2000, 2 * positionsLongest - 1)};
  quiz.recipe.config.activation = Activation::None;
  quiz.recipe.config.context = 2 * positionsLongest * times[2];
  quiz.purpose =
      "Continues letters that it has read before, also where the text is longer than any in training: what "
      "does its positional encoding do there?\n\n## Data\n\n4 to 12 random letters, all different, then "
      "repeated (`core/train/tasks/repeats.h`), generated from a seed; the loss counts the repeat. A tenth "
      "of the texts is held out from training. The numbers below are measured on these and on longer "
      "texts.\n";
  quiz.ask = [](Random& random) {
    return repeatedLetters(random,
                           positionsShortest + random.below(positionsLongest - positionsShortest + 1));
  };
  return std::make_shared<const PositionsTask>(std::move(quiz));
}

}  // namespace glassformer
