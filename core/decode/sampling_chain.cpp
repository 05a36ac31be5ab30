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
    double reached = 0, sum = 0;
    for (const Candidate& c : candidates) {
      probability(stage, c.token) = static_cast<float>(c.probability);
      before(stage, c.token) = static_cast<float>(reached);
      reached += c.probability;
      if (c.probability > 0) sum -= c.probability * std::log(c.probability);
    }
    entropy(stage) = static_cast<float>(sum);
  }

  Tensor probability, before, entropy;
};

}  // namespace

void measureSamplingChain(std::span<const float> logits, const StageNumbers& numbers, std::uint64_t seed,
                          TensorSet& set) {
  const std::span<const SamplingStage> stages = samplingStages();
  Chain noted(static_cast<int>(stages.size()) + 1, static_cast<int>(logits.size()));
  Candidates candidates = candidatesOf(logits);
  noted.note(0, candidates);
  for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
    const SamplingStage& stage = stages[static_cast<std::size_t>(i)];
    if (numbers.of(stage) != stage.off) stage.apply(candidates, numbers.of(stage));
    noted.note(i + 1, candidates);
  }
  Tensor number({1}), drawn({1});
  number(0) = static_cast<float>(Random(seed).uniform01());
  Random random(seed);
  drawn(0) = static_cast<float>(draw(candidates, random));
  set.add({chain::probability, "GV", "how probable each token is after a stage of sampling",
           "p = softmax(z) over the candidates left"},
          std::move(noted.probability));
  set.add({chain::before, "GV", "how probable all candidates before it are, the most probable first",
           "P = Σ p of those before it"},
          std::move(noted.before));
  set.add({chain::entropy, "G", "how undecided the distribution is after a stage of sampling",
           "H = −Σ p ln p, in nats"},
          std::move(noted.entropy));
  set.add({chain::draw, "1", "the random number that chooses the token", "u, the first number of the seed"},
          std::move(number));
  set.add({chain::drawn, "1", "the token that the random number chooses", "the first one with P + p > u"},
          std::move(drawn));
}

}  // namespace glassformer
