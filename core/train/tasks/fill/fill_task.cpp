#include "core/train/tasks/fill/fill_task.h"

#include <cmath>
#include <cstdio>

#include "core/model/positional/rotary.h"
#include "core/train/tasks/fill/fill_batches.h"
#include "core/train/tasks/fill/fill_evaluation.h"
#include "core/train/tasks/fill/filler.h"
#include "core/train/tasks/story_likelihood.h"

namespace glassformer {
namespace {

constexpr int measuredWords = 1000;

class FillTask final : public TrainingTask {
 public:
  FillTask(std::uint64_t seed, int steps)
      : TrainingTask(fillRecipe(seed, steps), trainFillTokenizer(seed, 1024)),
        batches_(tokenizer(), seed, recipe().options.positions),
        heldOut_(tokenizer(), heldOutSeed(seed), recipe().options.positions, Split::HeldOut) {}

  Batch batch(int step, int sequences) const override { return batches_.batch(step, sequences); }
  Batch heldOut(int number, int sequences) const override { return heldOut_.batch(number, sequences); }
  // Words that nothing else could stand in place of.
  std::vector<Example> examples(int count) const override {
    std::vector<Example> examples;
    const std::uint64_t seed = heldOutSeed(recipe().seed);
    for (std::uint64_t part = 0; static_cast<int>(examples.size()) < count; ++part)
      for (const MaskedWord& word :
           heldOutMaskedWords(tokenizer(), seed + part, count, recipe().options.positions)) {
        const std::string before = word.text.substr(0, word.word.begin),
                          after = word.text.substr(word.word.end);
        if (static_cast<int>(examples.size()) < count && gapWords(before, after).size() == 1)
          examples.push_back({.source = "",
                              .prompt = before + std::string(Tokenizer::maskName) + after,
                              .answer = tokenizer().tokenBytes(word.answer)});
      }
    return examples;
  }
  std::string purpose() const override {
    return "Fills in the words of a story that are replaced by `<|mask|>`, from the words before and after "
           "them.\n\n## Data\n\nThe corpus of `stories` (`core/train/tasks/stories.h`) with 5 to 25 % of its "
           "words chosen: four in five of them masked, one in twenty another word, the rest as they were. A "
           "tenth of the combinations of words is held out from training. The numbers below are measured on "
           "these, with one masked word per story.\n";
  }

 private:
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const ProgressCallback& watch) const override {
    const auto words =
        heldOutMaskedWords(tokenizer(), recipe().seed + 1000, measuredWords, recipe().options.positions);
    Filler filler(std::move(model), tokenizer(), threads);
    const FillAccuracy reached = measureFilling(
        [&](std::span<const int> tokens) { return filler.filled(tokens); }, words, partOf(watch, 0, 2));
    const BestFilling best = measureBestFilling(tokenizer(), words, partOf(watch, 1, 2));
    char text[600];
    std::snprintf(text, sizeof text,
                  "## Measured on %d held-out words\n\n| | |\n|---|---|\n| masked word right | %.1f %% |\n"
                  "| best possible, knowing the grammar | %.1f %% |\n"
                  "| the same as expected from the grammar's probabilities | %.1f %% |\n",
                  reached.words, 100 * reached.share(), 100 * best.accuracy.share(), 100 * best.expected);
    return text;
  }

  FillBatches batches_, heldOut_;
};

}  // namespace

Recipe fillRecipe(std::uint64_t seed, int steps) {
  Recipe recipe{.task = "fill", .seed = seed, .steps = steps > 0 ? steps : 8000};
  recipe.config.stack = Stack::EncoderOnly;
  recipe.config.mask.kind = MaskKind::None;
  recipe.config.positions = &rotaryPositions();
  recipe.config.scaledEmbedding = true;
  recipe.scale = {.embedding = 1 / std::sqrt(static_cast<float>(recipe.config.width))};
  recipe.options = {.sequences = 16, .positions = 128, .shards = 2};
  recipe.options.schedule = {ScheduleKind::Cosine, 3e-3f, 300, recipe.steps, 0.02f};
  recipe.options.seed = seed;
  return recipe;
}

std::shared_ptr<const TrainingTask> fillTask(std::uint64_t seed, int steps) {
  return std::make_shared<const FillTask>(seed, steps);
}

}  // namespace glassformer
