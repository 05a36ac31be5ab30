#include "core/decode/sampling_chain.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glassformer {

namespace {

constexpr int constraintNumber = -1;  // where stages have theirs, from 1, and the model 0

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

std::string_view ChainLink::id() const { return stage ? stage->id : isConstraint ? "constraint" : "model"; }
std::string_view ChainLink::name() const {
  return stage ? stage->name : isConstraint ? "Constraint" : "The model";
}

ChainLink chainLink(const TensorView& order, int i) {
  const int number = static_cast<int>(order(i));
  if (number <= 0) return {.isConstraint = number == constraintNumber};
  return {.stage = &samplingStages()[static_cast<std::size_t>(number) - 1]};
}

void measureSamplingChain(std::span<const float> logits, std::span<const int> prompt,
                          std::span<const int> added, const SamplingSettings& settings, double u,
                          TensorSet& set) {
  const int vocabulary = static_cast<int>(logits.size());
  const std::vector<const SamplingStage*> stages = stagesInOrder(settings.stages);
  const int links = 1 + !settings.constraint.isOff() + static_cast<int>(stages.size());
  Tensor order({links}), seen({vocabulary}), number({1}), drawn({1});
  Chain noted(links, vocabulary);
  std::vector<int> text(prompt.begin(), prompt.end());
  text.insert(text.end(), added.begin(), added.end());
  Candidates candidates = candidatesOf(logits, text);
  int link = 0;
  noted.note(link++, candidates);
  for (const Candidate& c : candidates) seen(c.token) = static_cast<float>(c.seen);
  if (!settings.constraint.isOff()) {
    candidates = settings.constraint.fitting(std::move(candidates), added);
    order(link) = constraintNumber;
    noted.note(link++, candidates);
  }
  for (const SamplingStage* stage : stages) {
    const float told = settings.stages.of(*stage);
    if (told != stage->off && !candidates.empty()) stage->apply(candidates, told);
    order(link) = static_cast<float>(stage - samplingStages().data() + 1);
    noted.note(link++, candidates);
  }
  number(0) = static_cast<float>(u);
  drawn(0) = candidates.empty() ? -1.0f : static_cast<float>(drawnBy(u, candidates));
  set.add({chain::probability, "GV", "how probable each token is after a stage of sampling",
           "p = softmax(z) over the candidates left"},
          std::move(noted.probability));
  set.add({chain::before, "GV", "how probable all candidates before it are, the most probable first",
           "P = Σ p of those before it"},
          std::move(noted.before));
  set.add({chain::stage, "G", "which stage acts as which",
           "its number among all stages, from 1; the model is 0, a constraint −1"},
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
