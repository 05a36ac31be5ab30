#include "core/train/tasks/induction_task.h"

#include <algorithm>
#include <cstdio>

#include "core/model/positional/rotary.h"
#include "core/train/answers.h"
#include "core/train/tasks/repeats.h"

namespace glassformer {
namespace {

constexpr int inductionShortest = 4, inductionLongest = 24;  // letters until they are said again
constexpr int measuredRepeats = 1000, lookedAt = 100;

std::string scoreRow(const char* what, const Tensor& scores) {
  const auto best = std::ranges::max_element(scores.values());
  const int i = static_cast<int>(best - scores.values().begin()), heads = scores.view().extent[1];
  char row[100];
  std::snprintf(row, sizeof row, "| %s, layer %d head %d | %.3f |\n", what, i / heads, i % heads,
                static_cast<double>(*best));
  return row;
}

std::string headRows(const RepeatHeads& heads) {
  std::string rows;
  for (int layer = 0; layer < heads.induction.view().extent[0]; ++layer)
    for (int head = 0; head < heads.induction.view().extent[1]; ++head) {
      char row[100];
      std::snprintf(row, sizeof row, "| layer %d head %d | %.3f | %.3f |\n", layer, head,
                    static_cast<double>(heads.previousToken(layer, head)),
                    static_cast<double>(heads.induction(layer, head)));
      rows += row;
    }
  return rows;
}

class InductionTask final : public QuestionTask {
 public:
  using QuestionTask::QuestionTask;

 private:
  std::string measured(std::shared_ptr<const Transformer> model, int threads,
                       const ProgressCallback& watch) const override {
    const std::vector<Example> repeats = heldOutExamples(recipe().seed + 1000, measuredRepeats);
    const RepeatAccuracy letters = measureRepeats(model, tokenizer(), repeats, threads, partOf(watch, 0, 3));
    char text[300];
    std::snprintf(text, sizeof text,
                  "## Measured on %d held-out texts\n\n| | |\n|---|---|\n| accuracy of repeated letters | "
                  "%.2f %% |\n| whole repeats right | %.2f %% |\n",
                  measuredRepeats, 100 * letters.share(),
                  100 * shareRight(answer(model, tokenizer(), repeats, threads, partOf(watch, 1, 3))));
    if (!model->config().hasAttention()) return text;
    const RepeatHeads heads = measureRepeatHeads(model, tokenizer(), std::span(repeats).first(lookedAt),
                                                 threads, partOf(watch, 2, 3));
    return text + scoreRow("previous-token score", heads.previousToken) +
           scoreRow("induction score", heads.induction) + "\n## Heads\n\nMean attention, on " +
           std::to_string(lookedAt) +
           " of these texts, to the previous token, and in the repeat to the token that followed the last "
           "time (induction). Layers and heads count from 0.\n\n| head | previous token | induction "
           "|\n|---|---|---|\n" +
           headRows(heads);
  }
};

}  // namespace

std::shared_ptr<const TrainingTask> inductionTask(std::uint64_t seed, int steps) {
  Quiz quiz{.recipe = smallRecipe("induction", seed, steps > 0 ? steps : 3000, 2 * inductionLongest - 1)};
  quiz.recipe.config.activation = Activation::None;
  quiz.recipe.config.context = 64;
  quiz.recipe.config.positions = &rotaryPositions();
  quiz.recipe.options.sequences = 32;
  quiz.recipe.options.schedule.warmup = 500;  // the heads form while one can watch
  quiz.purpose =
      "Continues letters that it has read before: \"qmbxzqmbxz\". Attention alone, without MLPs: one head "
      "attends to the previous token, a later one to the token after the last occurrence (Olsson et al. "
      "2022).\n\n## Data\n\n4 to 24 random letters, all different, then repeated "
      "(`core/train/tasks/repeats.h`), generated from a seed; the loss counts the repeat. A tenth of the "
      "texts is held out from training; the numbers below are measured on these.\n";
  quiz.ask = [](Random& random) {
    return repeatedLetters(random,
                           inductionShortest + random.below(inductionLongest - inductionShortest + 1));
  };
  return std::make_shared<const InductionTask>(std::move(quiz));
}

}  // namespace glassformer
