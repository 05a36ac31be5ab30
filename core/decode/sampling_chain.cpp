#include "core/decode/sampling_chain.h"

#include <algorithm>
#include <cmath>

#include "core/decode/sampling.h"

namespace glassformer {

namespace {

// What is known of the candidates after each stage.
struct Chain {
  Chain(int stages, int vocabulary)
      : probability({stages, vocabulary}), before({stages, vocabulary}), entropy({stages}) {
    std::ranges::fill(before.values(), NAN);
  }

  void note(int stage, const Candidates& candidates) {
    double reached = 0;
    for (const Candidate& c : candidates) {
      probability(stage, c.token) = static_cast<float>(c.probability);
      before(stage, c.token) = static_cast<float>(reached);
      reached += c.probability;
    }
    entropy(stage) = static_cast<float>(entropyOf(candidates));
  }

  Tensor probability, before, entropy;
};

}  // namespace

const SamplingStage* chainStage(const TensorView& order, int i) {
  const int number = static_cast<int>(order(i));
  return number == 0 ? nullptr : &samplingStages()[static_cast<std::size_t>(number) - 1];
}

void measureSamplingChain(std::span<const float> logits, std::span<const int> text,
                          const StageNumbers& numbers, double u, TensorSet& set) {
  const std::vector<const SamplingStage*> stages = stagesInOrder(numbers);
  Tensor order({static_cast<int>(stages.size()) + 1});
  Chain noted(static_cast<int>(stages.size()) + 1, static_cast<int>(logits.size()));
  Candidates candidates = candidatesOf(logits, text);
  noted.note(0, candidates);
  Tensor seen({static_cast<int>(logits.size())});
  for (const Candidate& c : candidates) seen(c.token) = static_cast<float>(c.seen);
  for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
    const SamplingStage& stage = *stages[static_cast<std::size_t>(i)];
    if (numbers.of(stage) != stage.off) stage.apply(candidates, numbers.of(stage));
    noted.note(i + 1, candidates);
    order(i + 1) = static_cast<float>(&stage - samplingStages().data() + 1);
  }
  Tensor number({1}), drawn({1});
  number(0) = static_cast<float>(u);
  drawn(0) = static_cast<float>(drawnBy(u, candidates));
  set.add({chain::probability, "GV", "how probable each token is after a stage of sampling",
           "p = softmax(z) over the candidates left"},
          std::move(noted.probability));
  set.add({chain::before, "GV", "how probable all candidates before it are, the most probable first",
           "P = Σ p of those before it"},
          std::move(noted.before));
  set.add({chain::stage, "G", "which stage acts as which", "its number among all stages, from 1"},
          std::move(order));
  set.add({chain::entropy, "G", "how undecided the distribution is after a stage of sampling",
           "H = −Σ p ln p, in nats"},
          std::move(noted.entropy));
  set.add({chain::seen, "V", "how often the text has each token already", "#{t : x(t) = v}"},
          std::move(seen));
  set.add({chain::draw, "1", "the random number that chooses the token", "u, the first number of the seed"},
          std::move(number));
  set.add({chain::drawn, "1", "the token that the random number chooses", "the first one with P + p > u"},
          std::move(drawn));
}

}  // namespace glassformer
