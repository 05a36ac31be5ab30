#include "core/decode/sampling_chain.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/log_sum_exp.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

constexpr int constraintNumber = -1;  // where stages have theirs, from 1, and the model 0

// What is known of the candidates after each stage.
struct Chain {
  Chain(int stages, int vocabulary)
      : logit({stages, vocabulary}),
        probability({stages, vocabulary}),
        before({stages, vocabulary}),
        entropy({stages}) {
    for (Tensor* const each : {&logit, &before}) std::ranges::fill(each->values(), NAN);
  }

  void note(int stage, const Candidates& candidates) {
    double reached = 0;
    for (const Candidate& c : candidates) {
      logit(stage, c.token) = c.logit;
      probability(stage, c.token) = static_cast<float>(c.probability);
      before(stage, c.token) = static_cast<float>(reached);
      reached += c.probability;
    }
    entropy(stage) = static_cast<float>(entropyOf(candidates));
  }

  Tensor logit, probability, before, entropy;
};

// What a stage that is told a number has made of a logit: a penalty divides or multiplies it, or is taken
// off, temperature divides it; one that only takes candidates out leaves it.
Derivation derivedLogit(Cell z, float now, float told) {
  if (now == *z) return {.terms = {{z}}};
  if (now == *z / told) return {.terms = {{z, nullptr, 1 / told}}};
  if (now == *z * told) return {.terms = {{z, nullptr, told}}};
  return {.terms = {{z}, {nullptr, nullptr, now - *z}}};
}

void addLogits(std::span<const float> logits, Tensor ofStages, std::vector<float> told, TensorSet& set) {
  const TensorView z = ofStages.view();
  set.add({chain::logit, "GV", "logit of each candidate after a filter of sampling",
           "z, divided by a temperature, less penalties"},
          std::move(ofStages), [=, told = std::move(told)](const Index& at) -> std::optional<Derivation> {
            const float now = z(at[0], at[1]);
            if (std::isnan(now)) return std::nullopt;
            if (at[0] == 0) return Derivation{.terms = {{&logits[static_cast<std::size_t>(at[1])]}}};
            return derivedLogit(&z(at[0] - 1, at[1]), now, told[static_cast<std::size_t>(at[0])]);
          });
}

void addProbabilities(Tensor probability, TensorSet& set) {
  const TensorView z = set[chain::logit];
  set.add({chain::probability, "GV", "probability of each token after a filter of sampling",
           "p = softmax(z) over the candidates left"},
          std::move(probability), [z](const Index& at) -> std::optional<Derivation> {
            if (std::isnan(z(at[0], at[1]))) return std::nullopt;  // no candidate any more
            Derivation p{.form = Form::Softmax, .over = "candidates"};
            for (int v = 0; v < z.extent[1]; ++v) {
              if (std::isnan(z(at[0], v))) continue;
              if (v == at[1]) p.chosen = p.terms.size();
              p.terms.push_back({&z(at[0], v)});
            }
            return p;
          });
}

// H = −Σ p ln p = ln Σ exp z − Σ p z.
Derivation derivedEntropy(const TensorView& p, const TensorView& z) {
  Derivation entropy;
  std::vector<float> left;
  for (int v = 0; v < z.extent[0]; ++v)
    if (!std::isnan(z(v))) left.push_back(z(v)), entropy.terms.push_back({&p(v), &z(v), -1});
  if (!left.empty()) entropy.terms.push_back({nullptr, nullptr, static_cast<float>(logSumExp(left))});
  return entropy;
}

// Of all that are more probable, the most probable first.
std::optional<Derivation> derivedBefore(const TensorView& p, const TensorView& before, int token) {
  if (std::isnan(before(token))) return std::nullopt;
  Derivation sum;
  for (int v = 0; v < p.extent[0]; ++v)
    if (before(v) < before(token)) sum.terms.push_back({&p(v)});
  return sum;
}

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
  std::vector<float> numbers(static_cast<std::size_t>(links), 1);  // that each link is told
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
    const float told = numbers[static_cast<std::size_t>(link)] = settings.stages.of(*stage);
    if (told != stage->off && !candidates.empty()) stage->apply(candidates, told);
    order(link) = static_cast<float>(stage - samplingStages().data() + 1);
    noted.note(link++, candidates);
  }
  number(0) = static_cast<float>(u);
  drawn(0) = candidates.empty() ? -1.0f : static_cast<float>(drawnBy(u, candidates));
  addLogits(logits, std::move(noted.logit), std::move(numbers), set);
  addProbabilities(std::move(noted.probability), set);
  const TensorView p = set[chain::probability], z = set[chain::logit], before = noted.before.view();
  set.add(
      {chain::before, "GV", "sum of the probabilities of all candidates before it, the most probable first",
       "P = Σ p of those before it"},
      std::move(noted.before),
      [=](const Index& at) { return derivedBefore(p[at[0]], before[at[0]], at[1]); });
  set.add({chain::stage, "G", "order of the filters",
           "its number among all filters, from 1; the model is 0, a constraint −1"},
          std::move(order));
  set.add({chain::entropy, "G", "entropy of the distribution after a filter of sampling",
           "H = −Σ p ln p, in nats"},
          std::move(noted.entropy), [=](const Index& at) { return derivedEntropy(p[at[0]], z[at[0]]); });
  set.add({chain::seen, "V", "number of occurrences of each token in the text", "#{t : x(t) = v}"},
          std::move(seen));
  set.add({chain::draw, "1", "the random number that chooses the token", "u, the first number of the seed"},
          std::move(number));
  set.add({chain::drawn, "1", "the token that the random number chooses", "the first one with P + p > u"},
          std::move(drawn));
}

}  // namespace glassformer
