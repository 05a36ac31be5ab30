#include "core/lens/leave_out.h"

#include <cmath>

#include "core/decode/next_token.h"

namespace glassformer {

LeftOut leaveOut(LivePass& pass, const Trace& whole, const Interventions& standing, const Intervention& part,
                 Prediction prediction) {
  Interventions interventions = standing;
  interventions.push_back(part);
  const auto trace = pass.run(whole.tokens(), interventions, whole.source());
  const std::vector<float> with = whole["logits"][prediction.position].copy(),
                           without = (*trace)["logits"][prediction.position].copy();
  const std::vector<double> p = logSoftmax(with), q = logSoftmax(without);
  double divergence = 0;
  for (std::size_t v = 0; v < p.size(); ++v) divergence += std::exp(p[v]) * (p[v] - q[v]);
  const auto entry = static_cast<std::size_t>(prediction.entry);
  return {without[entry] - with[entry], static_cast<float>(std::max(divergence, 0.0))};
}

}  // namespace glassformer
