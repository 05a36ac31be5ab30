#include "core/lens/distribution.h"

#include <cmath>

#include "core/log_sum_exp.h"
#include "core/trace/derived.h"

namespace glassformer {

Distribution measureDistribution(const Trace& trace, int position, TensorSet& set) {
  const TensorView z = trace["logits"][position];
  const int V = z.extent[0];
  const double sum = logSumExp({z.data, static_cast<std::size_t>(V)});
  Tensor p({V}), logP({V});
  for (int v = 0; v < V; ++v) {
    const double log = static_cast<double>(z(v)) - sum;
    p(v) = static_cast<float>(std::exp(log)), logP(v) = static_cast<float>(log);
  }
  const std::string at = "." + std::to_string(position);
  set.add({"lens.probability" + at, "V", "probability of each token as the next one", "p = softmax(z)"},
          std::move(p), [z](const Index& entry) { return derivedProbability(z, entry[0]); });
  const TensorView probabilities = set["lens.probability" + at];
  set.add({"lens.log_probability" + at, "V", "the logarithm of that", "ln p"}, std::move(logP),
          [probabilities](const Index& entry) -> std::optional<Derivation> {
            if (!(probabilities(entry[0]) > 0)) return std::nullopt;  // too small for a number of its own
            return derivedLogarithm(&probabilities(entry[0]));
          });
  return {probabilities, set["lens.log_probability" + at]};
}

Distribution distributionAt(ReplayedPass& pass, int position) {
  auto set = std::make_shared<TensorSet>();
  const Distribution measured = measureDistribution(*pass.trace, position, *set);
  pass.measured = std::move(set);
  return measured;
}

Derivation derivedEntropy(const Distribution& of) {
  Derivation sum;
  for (int v = 0; v < of.p.extent[0]; ++v)
    if (of.p(v) > 0) sum.terms.push_back({&of.p(v), &of.logP(v), -1});
  return sum;
}

Derivation derivedDivergence(const Distribution& p, const Distribution& q) {
  Derivation sum;
  for (int v = 0; v < p.p.extent[0]; ++v)
    if (p.p(v) > 0)
      sum.terms.push_back({&p.p(v), &p.logP(v)}), sum.terms.push_back({&p.p(v), &q.logP(v), -1});
  return sum;
}

}  // namespace glassformer
