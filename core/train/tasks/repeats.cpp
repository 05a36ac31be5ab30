#include "core/train/tasks/repeats.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/lens/head_scores.h"
#include "core/model/live_pass.h"

namespace glassformer {
namespace {

void add(const Tensor& from, Tensor& to, std::size_t count) {
  for (std::size_t i = 0; i < to.values().size(); ++i)
    to.values()[i] += from.values()[i] / static_cast<float>(count);
}

}  // namespace

Example repeatedLetters(Random& random, int period) {
  assert(period >= 2 && period <= mostLetters);
  std::string letters = std::string(lowerCase) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (int i = 0; i < period; ++i) {  // Fisher & Yates
    const int other = i + random.below(mostLetters - i);
    std::swap(letters[static_cast<std::size_t>(i)], letters[static_cast<std::size_t>(other)]);
  }
  letters.resize(static_cast<std::size_t>(period));
  return {.source = "", .prompt = letters + letters.front(), .answer = letters.substr(1)};
}

RepeatAccuracy measureRepeats(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                              std::span<const Example> repeats, int threads, const ProgressCallback& watch) {
  LivePass pass(std::move(model), threads);
  RepeatAccuracy accuracy;
  const auto total = static_cast<int>(repeats.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const Example& example = repeats[static_cast<std::size_t>(i)];
    const std::vector<int> tokens = tokenizer.encodeIds(example.prompt + example.answer);
    const auto trace = pass.run(std::span(tokens).first(tokens.size() - 1));
    const TensorView logits = (*trace)["logits"];
    for (std::size_t t = example.prompt.size(); t < tokens.size(); ++t) {
      const std::vector<float> row = logits[static_cast<int>(t) - 1].copy();
      ++accuracy.letters;
      accuracy.right += std::ranges::max_element(row) - row.begin() == tokens[t];
    }
  }
  return accuracy;
}

RepeatHeads measureRepeatHeads(std::shared_ptr<const Transformer> model, const Tokenizer& tokenizer,
                               std::span<const Example> repeats, int threads, const ProgressCallback& watch) {
  const ModelConfig config = model->config();
  LivePass pass(std::move(model), threads);
  RepeatHeads heads{Tensor({config.layers, config.heads}), Tensor({config.layers, config.heads})};
  const auto total = static_cast<int>(repeats.size());
  for (int i = 0; i < total && watch(i, total); ++i) {
    const Example& example = repeats[static_cast<std::size_t>(i)];
    const auto trace = pass.run(tokenizer.encodeIds(example.prompt + example.answer));
    const int period = static_cast<int>(example.prompt.size()) - 1;
    add(previousTokenScores(*trace, config), heads.previousToken, repeats.size());
    add(inductionScores(*trace, config, period, period), heads.induction, repeats.size());
  }
  return heads;
}

}  // namespace glassformer
