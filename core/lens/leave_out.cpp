#include "core/lens/leave_out.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/log_sum_exp.h"

namespace glassformer {

LeftOut leaveOut(LivePass& pass, const Trace& whole, const Interventions& standing, const Intervention& part,
                 Prediction prediction) {
  Interventions interventions = standing;
  interventions.push_back(part);
  const auto trace = pass.run(whole.tokens(), interventions, whole.source());
  const std::vector<float> with = whole["logits"][prediction.position].copy(),
                           without = (*trace)["logits"][prediction.position].copy();
  const double sumWith = logSumExp(with), sumWithout = logSumExp(without);
  double divergence = 0;  // Σ p (ln p − ln q)
  for (std::size_t v = 0; v < with.size(); ++v) {
    const double p = with[v] - sumWith, q = without[v] - sumWithout;
    divergence += std::exp(p) * (p - q);
  }
  const auto entry = static_cast<std::size_t>(prediction.entry);
  return {without[entry] - with[entry], static_cast<float>(std::max(divergence, 0.0))};
}

}  // namespace glassformer
