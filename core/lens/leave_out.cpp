#include "core/lens/leave_out.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/lens/gradient_pass.h"
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
  const auto trace = pass.run(whole.tokens(), withOneMore(standing, part), whole.source());
  const std::vector<float> with = whole["logits"][prediction.position].copy(),
                           without = (*trace)["logits"][prediction.position].copy();
  const auto entry = static_cast<std::size_t>(prediction.entry);
  const auto likeliest = [](const std::vector<float>& logits) {
    return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
  };
  return {without[entry] - with[entry], static_cast<float>(divergenceOf(with, without)), likeliest(with),
          likeliest(without)};
}

std::vector<float> estimateLeftOut(const Transformer& model, const Trace& whole,
                                   const Interventions& standing,
                                   std::span<const std::optional<Intervention>> parts,
                                   Prediction prediction) {
  std::vector<std::string> points;
  for (const auto& part : parts)
    if (part && std::ranges::find(points, part->point) == points.end()) points.push_back(part->point);
  GradientPass pass(model, whole, standing, points);
  pass.run(prediction);
  std::vector<float> estimates;
  for (const auto& part : parts) {
    if (!part) {
      estimates.push_back(NAN);
      continue;
    }
    const TensorView x = whole[part->point], g = pass.gradient(part->point);
    double sum = 0;
    const std::vector<float> values = x.copy(), slopes = g.copy();
    const int rows = x.extent[0], width = static_cast<int>(values.size()) / rows,
              heads = part->index[1] >= 0 ? x.extent[1] : 1, own = width / heads;
    const int firstRow = std::max(part->index[0], 0), endRow = part->index[0] < 0 ? rows : firstRow + 1,
              first = std::max(part->index[1], 0) * own;
    for (int t = firstRow; t < endRow; ++t)
      for (int i = 0; i < own; ++i) {
        const auto at = static_cast<std::size_t>(t * width + first + i);
        sum -= static_cast<double>(values[at]) * static_cast<double>(slopes[at]);
      }
    estimates.push_back(static_cast<float>(sum));
  }
  return estimates;
}

}  // namespace glassformer
