#include "core/lens/across_changes.h"

#include <algorithm>
#include <cmath>

#include "core/lens/contributions.h"
#include "core/lens/next_tokens.h"
#include "core/lens/patching.h"
#include "core/log_sum_exp.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr const char *probability = "lens.probability", *logProbability = "lens.log_probability",
                     *divergence = "lens.divergence", *leadChange = "lens.lead_change",
                     *stillLikeliest = "lens.still_likeliest";

Cell logitOf(const PassAgain& pass, int position, int entry) {
  return &(*pass.trace)["logits"](position, entry);
}

template <typename Measure>
void measureOn(PassAgain& pass, const Measure& measure) {
  auto set = std::make_shared<TensorSet>();
  measure(*pass.trace, *set);
  pass.measured = std::move(set);
}

// Σ_v p ln p − p ln q.
Derivation divergenceOfRows(const TensorView& p, const TensorView& logP, const TensorView& logQ) {
  Derivation sum;
  for (int v = 0; v < p.extent[0]; ++v)
    if (p(v) > 0) sum.terms.push_back({&p(v), &logP(v)}), sum.terms.push_back({&p(v), &logQ(v), -1});
  return sum;
}

// Of passes on which measureDistributions() was done.
Derivation divergenceAt(const TensorSet& whole, const TensorSet& changed, int position) {
  return divergenceOfRows(whole[probability][position], whole[logProbability][position],
                          changed[logProbability][position]);
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

PassAgain passAgain(std::string name, const std::shared_ptr<const Transformer>& model, const Trace& read,
                    const Interventions& interventions) {
  return {std::move(name), LivePass(model).run(read.tokens(), interventions, read.source()), nullptr};
}

PassAgain passAtHand(std::string name, std::shared_ptr<const Trace> trace) {
  return {std::move(name), std::move(trace), nullptr};
}

void measureDistributions(const Trace& trace, TensorSet& set) {
  const TensorView logits = trace["logits"];
  const int T = trace.tokenCount(), V = logits.extent[1];
  Tensor p({T, V}), logP({T, V});
  for (int t = 0; t < T; ++t) {
    const double sum = logSumExp({&logits(t, 0), static_cast<std::size_t>(V)});
    for (int v = 0; v < V; ++v) {
      const double log = static_cast<double>(logits(t, v)) - sum;
      p(t, v) = static_cast<float>(std::exp(log)), logP(t, v) = static_cast<float>(log);
    }
  }
  set.add({probability, "TV", "how probable each token is to come next", "p = softmax(z)"}, std::move(p),
          [logits](const Index& at) { return derivedProbability(logits[at[0]], at[1]); });
  set.add({logProbability, "TV", "the logarithm of that", "ln p"}, std::move(logP),
          [p = set[probability]](const Index& at) -> std::optional<Derivation> {
            if (!(p(at[0], at[1]) > 0)) return std::nullopt;  // too small for a number of its own
            return derivedLogarithm(&p(at[0], at[1]));
          });
}

AcrossPasses logitAcross(PassAgain whole, PassAgain changed, Prediction of) {
  const Cell with = logitOf(whole, of.position, of.entry), without = logitOf(changed, of.position, of.entry);
  return {derivedDifference(without, with), {std::move(whole), std::move(changed)}};
}

AcrossPasses divergenceAcross(PassAgain whole, PassAgain changed, int position) {
  for (PassAgain* const each : {&whole, &changed}) measureOn(*each, measureDistributions);
  Derivation sum = divergenceAt(*whole.measured, *changed.measured, position);
  return {std::move(sum), {std::move(whole), std::move(changed)}};
}

AcrossPasses leadAcross(PassAgain whole, PassAgain changed, int position, int answer, int other) {
  Derivation sum = derivedLeadChange(*whole.trace, *changed.trace, position, answer, other);
  return {std::move(sum), {std::move(whole), std::move(changed)}};
}

AcrossPasses meanLeadAcross(PassAgain whole, std::vector<PassAgain> changed, int position, int answer,
                            int other) {
  Derivation mean;
  for (PassAgain& each : changed) {
    auto set = std::make_shared<TensorSet>();
    const auto made = [whole = whole.trace, changed = each.trace, position, answer, other](const Index&) {
      return derivedLeadChange(*whole, *changed, position, answer, other);
    };
    addDerived(*set,
               {leadChange, "1", "what the answer's lead over the other one changes by",
                "(z_a − z_b) changed − (z_a − z_b)"},
               {1}, made);
    mean.terms.push_back({&(*set)[leadChange](0), nullptr, 1 / static_cast<float>(changed.size())});
    each.measured = std::move(set);
  }
  changed.insert(changed.begin(), std::move(whole));
  return {std::move(mean), std::move(changed)};
}

AcrossPasses anotherAnswerAcross(PassAgain whole, PassAgain changed, int position) {
  const int answer = likeliestEntry(*whole.trace, position);
  for (PassAgain* const each : {&whole, &changed})
    measureOn(*each, [&](const Trace& trace, TensorSet& set) {
      addDerived(set,
                 {stillLikeliest, "1", "1 where the model's own answer is the likeliest entry, else 0",
                  "[argmax z = a]"},
                 {1},
                 [z = trace["logits"][position], answer](const Index&) { return derivedLargest(z, answer); });
    });
  const Cell before = &(*whole.measured)[stillLikeliest](0), now = &(*changed.measured)[stillLikeliest](0);
  return {derivedDifference(before, now), {std::move(whole), std::move(changed)}};
}

AcrossPasses furthestAcross(PassAgain whole, PassAgain changed, int position) {
  const TensorView z = (*whole.trace)["logits"][position], moved = (*changed.trace)["logits"][position];
  int furthest = 0;
  for (int v = 1; v < z.extent[0]; ++v)
    if (std::abs(z(v) - moved(v)) > std::abs(z(furthest) - moved(furthest))) furthest = v;
  const bool falls = moved(furthest) < z(furthest);
  Derivation difference = falls ? derivedDifference(&z(furthest), &moved(furthest))
                                : derivedDifference(&moved(furthest), &z(furthest));
  return {std::move(difference), {std::move(whole), std::move(changed)}};
}

AcrossPasses lossAcross(PassAgain whole, PassAgain changed) {
  for (PassAgain* const each : {&whole, &changed}) measureOn(*each, measureNext);
  const Cell with = &(*whole.measured)["lens.loss"](0), without = &(*changed.measured)["lens.loss"](0);
  return {derivedDifference(without, with), {std::move(whole), std::move(changed)}};
}

AcrossPasses nextLogitAcross(PassAgain whole, PassAgain changed) {
  const std::vector<int>& tokens = whole.trace->tokens();
  const float share = 1 / static_cast<float>(tokens.size() - 1);
  Derivation sum;
  for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
    const int position = static_cast<int>(t), next = tokens[t + 1];
    sum.terms.push_back({logitOf(changed, position, next), nullptr, share});
    sum.terms.push_back({logitOf(whole, position, next), nullptr, -share});
  }
  return {std::move(sum), {std::move(whole), std::move(changed)}};
}

AcrossPasses meanDivergenceAcross(PassAgain whole, PassAgain changed, const std::vector<int>& positions) {
  for (PassAgain* const each : {&whole, &changed}) measureOn(*each, measureDistributions);
  auto both = std::make_shared<TensorSet>(*changed.measured);
  addDerived(
      *both,
      {divergence, "T", "how far the distribution at each position moves", "KL(p ‖ p changed), in nats"},
      {whole.trace->tokenCount()}, [whole = whole.measured, changed = changed.measured](const Index& at) {
        return divergenceAt(*whole, *changed, at[0]);
      });
  Derivation mean;
  for (const int t : positions)
    mean.terms.push_back({&(*both)[divergence](t), nullptr, 1 / static_cast<float>(positions.size())});
  changed.measured = std::move(both);
  return {std::move(mean), {std::move(whole), std::move(changed)}};
}

AcrossPasses probabilityAcross(PassAgain changed, Prediction of) {
  Derivation made = derivedProbability((*changed.trace)["logits"][of.position], of.entry);
  return {std::move(made), {std::move(changed)}};
}

}  // namespace glassformer
