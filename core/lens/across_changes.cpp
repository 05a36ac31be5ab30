#include "core/lens/across_changes.h"

#include <algorithm>
#include <cmath>

#include "core/lens/contributions.h"
#include "core/lens/distribution.h"
#include "core/lens/next_tokens.h"
#include "core/lens/patching.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr const char *leadChange = "lens.lead_change", *stillLikeliest = "lens.still_likeliest";

Cell logitOf(const ReplayedPass& pass, int position, int entry) {
  return &(*pass.trace)["logits"](position, entry);
}

template <typename Measure>
void measureOn(ReplayedPass& pass, const Measure& measure) {
  auto set = std::make_shared<TensorSet>();
  measure(*pass.trace, *set);
  pass.measured = std::move(set);
}

// (z_a − z_b) changed − (z_a − z_b)
Derivation derivedLeadChange(const Trace& whole, const Trace& changed, int position, int answer, int other) {
  Derivation sum = derivedLead(changed, position, answer, other);
  for (Term term : derivedLead(whole, position, answer, other).terms) {
    term.coefficient = -term.coefficient;
    sum.terms.push_back(term);
  }
  return sum;
}

// 1 where an entry is the first of the largest.
Derivation derivedLargest(const TensorView& logits, int entry) {
  Derivation largest{.form = Form::Largest, .chosen = static_cast<std::size_t>(entry), .over = "tokens"};
  for (int v = 0; v < logits.extent[0]; ++v) largest.terms.push_back({&logits(v)});
  return largest;
}

void measureNext(const Trace& trace, TensorSet& set) { measureNextTokens(trace, set); }

}  // namespace

ReplayedPass passAgain(std::string name, const std::shared_ptr<const Transformer>& model, const Trace& read,
                       const Interventions& interventions) {
  return {std::move(name), LivePass(model).run(read.tokens(), interventions, read.source()), nullptr};
}

ReplayedPass passAtHand(std::string name, std::shared_ptr<const Trace> trace) {
  return {std::move(name), std::move(trace), nullptr};
}

MultiPassDerivation divergenceAcross(ReplayedPass whole, ReplayedPass changed, int position) {
  const Distribution p = distributionAt(whole, position), q = distributionAt(changed, position);
  return {derivedDivergence(p, q), {std::move(whole), std::move(changed)}};
}

MultiPassDerivation leadAcross(ReplayedPass whole, ReplayedPass changed, int position, int answer,
                               int other) {
  Derivation sum = derivedLeadChange(*whole.trace, *changed.trace, position, answer, other);
  return {std::move(sum), {std::move(whole), std::move(changed)}};
}

MultiPassDerivation meanLeadAcross(ReplayedPass whole, std::vector<ReplayedPass> changed, int position,
                                   int answer, int other) {
  Derivation mean;
  for (ReplayedPass& each : changed) {
    auto set = std::make_shared<TensorSet>();
    const auto made = [whole = whole.trace, changed = each.trace, position, answer, other](const Index&) {
      return derivedLeadChange(*whole, *changed, position, answer, other);
    };
    addDerived(*set,
               {leadChange, "1", "change in the logit difference of the prediction and the contrast token",
                "(z_a − z_b) changed − (z_a − z_b)"},
               {1}, made);
    mean.terms.push_back({&(*set)[leadChange](0), nullptr, 1 / static_cast<float>(changed.size())});
    each.measured = std::move(set);
  }
  changed.insert(changed.begin(), std::move(whole));
  return {std::move(mean), std::move(changed)};
}

MultiPassDerivation anotherAnswerAcross(ReplayedPass whole, ReplayedPass changed, int position) {
  const int answer = likeliestEntry(*whole.trace, position);
  for (ReplayedPass* const each : {&whole, &changed})
    measureOn(*each, [&](const Trace& trace, TensorSet& set) {
      addDerived(
          set,
          {stillLikeliest, "1", "1 where the model's prediction is the top token, else 0", "[argmax z = a]"},
          {1}, [z = trace["logits"][position], answer](const Index&) { return derivedLargest(z, answer); });
    });
  const Cell before = &(*whole.measured)[stillLikeliest](0), now = &(*changed.measured)[stillLikeliest](0);
  return {derivedDifference(before, now), {std::move(whole), std::move(changed)}};
}

MultiPassDerivation furthestAcross(ReplayedPass whole, ReplayedPass changed, int position) {
  const TensorView z = (*whole.trace)["logits"][position], moved = (*changed.trace)["logits"][position];
  int furthest = 0;
  for (int v = 1; v < z.extent[0]; ++v)
    if (std::abs(z(v) - moved(v)) > std::abs(z(furthest) - moved(furthest))) furthest = v;
  const bool falls = moved(furthest) < z(furthest);
  Derivation difference = falls ? derivedDifference(&z(furthest), &moved(furthest))
                                : derivedDifference(&moved(furthest), &z(furthest));
  return {std::move(difference), {std::move(whole), std::move(changed)}};
}

MultiPassDerivation lossAcross(ReplayedPass whole, ReplayedPass changed, const CountedTokens& counted) {
  for (ReplayedPass* const each : {&whole, &changed}) measureOn(*each, measureNext);
  if (counted.empty()) {
    const Cell with = &(*whole.measured)["lens.loss"](0), without = &(*changed.measured)["lens.loss"](0);
    return {derivedDifference(without, with), {std::move(whole), std::move(changed)}};
  }
  const float share = 1 / static_cast<float>(std::ranges::count(counted, true));
  Derivation sum;
  for (int t = 0; t < static_cast<int>(counted.size()); ++t) {
    if (!counted[static_cast<std::size_t>(t)]) continue;
    sum.terms.push_back({&(*changed.measured)["lens.surprise"](t), nullptr, share});
    sum.terms.push_back({&(*whole.measured)["lens.surprise"](t), nullptr, -share});
  }
  return {std::move(sum), {std::move(whole), std::move(changed)}};
}

MultiPassDerivation nextLogitAcross(ReplayedPass whole, ReplayedPass changed, const CountedTokens& counted) {
  const std::vector<int>& tokens = whole.trace->tokens();
  const auto count = counted.empty() ? std::ssize(tokens) - 1 : std::ranges::count(counted, true);
  const float share = 1 / static_cast<float>(count);
  Derivation sum;
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
    if (!counts(counted, t)) continue;
    const int position = static_cast<int>(t), next = tokens[t + 1];
    sum.terms.push_back({logitOf(changed, position, next), nullptr, share});
    sum.terms.push_back({logitOf(whole, position, next), nullptr, -share});
  }
  return {std::move(sum), {std::move(whole), std::move(changed)}};
}

MultiPassDerivation meanDivergenceAcross(ReplayedPass whole, ReplayedPass changed,
                                         const std::vector<int>& positions) {
  auto before = std::make_shared<TensorSet>(), now = std::make_shared<TensorSet>();
  std::vector<Cell> divergences;
  for (const int t : positions) {
    const auto moved = [p = measureDistribution(*whole.trace, t, *before),
                        q = measureDistribution(*changed.trace, t, *now)](const Index&) {
      return derivedDivergence(p, q);
    };
    const std::string name = "lens.divergence." + std::to_string(t);
    addDerived(*now, {name, "1", "KL divergence of the distribution there", "KL(p ‖ p changed), in nats"},
               {1}, moved);
    divergences.push_back(&(*now)[name](0));
  }
  whole.measured = std::move(before), changed.measured = std::move(now);
  return {derivedMean(divergences), {std::move(whole), std::move(changed)}};
}

MultiPassDerivation probabilityAcross(ReplayedPass changed, Prediction of) {
  Derivation made = derivedProbability((*changed.trace)["logits"][of.position], of.entry);
  return {std::move(made), {std::move(changed)}};
}

}  // namespace glassformer
