#include "core/lens/leave_out.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/log_sum_exp.h"

namespace glassformer {

double divergenceOf(std::span<const float> p, std::span<const float> q) {
  const double sumP = logSumExp(p), sumQ = logSumExp(q);
  double divergence = 0;  // Σ p (ln p − ln q)
  for (std::size_t v = 0; v < p.size(); ++v) {
    const double logP = p[v] - sumP, logQ = q[v] - sumQ;
    divergence += std::exp(logP) * (logP - logQ);
  }
  return std::max(divergence, 0.0);
}

LeftOut leaveOut(LivePass& pass, const Trace& whole, const Interventions& standing, const Intervention& part,
                 Prediction prediction) {
  Interventions interventions = standing;
  interventions.push_back(part);
  const auto trace = pass.run(whole.tokens(), interventions, whole.source());
  const std::vector<float> with = whole["logits"][prediction.position].copy(),
                           without = (*trace)["logits"][prediction.position].copy();
  const auto entry = static_cast<std::size_t>(prediction.entry);
  const auto likeliest = [](const std::vector<float>& logits) {
    return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
  };
  return {without[entry] - with[entry], static_cast<float>(divergenceOf(with, without)), likeliest(with),
          likeliest(without)};
}

}  // namespace glassformer
