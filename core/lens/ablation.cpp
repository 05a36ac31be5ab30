#include "core/lens/ablation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/lens/answer_metric.h"
#include "core/lens/chain_rule.h"
#include "core/lens/metric.h"
#include "core/lens/patching.h"
#include "core/log_sum_exp.h"
#include "core/trace/derived.h"

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

Intervention leftOutAs(AblationKind as, const Trace& whole, const Intervention& part) {
  return as == AblationKind::Mean ? heldAtMean(whole, part) : part;
}

AblationEffect leaveOut(LivePass& pass, const Trace& whole, const Interventions& standing,
                        const Intervention& part, const AnswerMetric& of) {
  const auto trace = pass.run(whole.tokens(), withOneMore(standing, part), whole.source());
  const std::vector<float> with = whole["logits"][of.prediction.position].copy(),
                           without = (*trace)["logits"][of.prediction.position].copy();
  const auto likeliest = [](const std::vector<float>& logits) {
    return static_cast<int>(std::ranges::max_element(logits) - logits.begin());
  };
  return {static_cast<float>(valueOf(of, without) - valueOf(of, with)),
          static_cast<float>(divergenceOf(with, without)), likeliest(with), likeliest(without)};
}

std::string gradientOf(const std::string& point) { return "lens.logit_gradient." + point; }

std::string meanOf(const std::string& point) { return "lens.mean." + point; }

namespace {

// The mean over all positions of each number of a point [T, D] or [T, H, K].
void addMeanOf(const Trace& whole, const std::string& point, TensorSet& set) {
  const TracePoint& own = whole.point(whole.find(point));
  const TensorView x = whole[point];
  const auto mean = [x](const Index& at) {
    std::vector<Cell> numbers;
    for (int t = 0; t < x.extent[0]; ++t) numbers.push_back(x.rank == 3 ? &x(t, at[0], at[1]) : &x(t, at[0]));
    return derivedMean(numbers);
  };
  TracePoint means{
      meanOf(point), own.letters.substr(1), "the mean over the text of " + own.meaning, "Σ x / T", own.rows,
      own.keys};
  if (x.rank == 3)
    addDerived(set, std::move(means), {x.extent[1], x.extent[2]}, mean);
  else
    addDerived(set, std::move(means), {x.extent[1]}, mean);
}

}  // namespace

// −Σ x · ∂z/∂x, or Σ (x̄ − x) · ∂z/∂x, at every position or at one, and of all heads or of one.
Derivation derivedEstimate(const Trace& whole, const TensorSet& gradients, const Intervention& part,
                           AblationKind as) {
  const TensorView x = whole[part.point], g = gradients[gradientOf(part.point)];
  const TensorView mean = as == AblationKind::Mean ? gradients[meanOf(part.point)] : TensorView();
  const auto isMeant = [&](int dimension, int i) {
    const int only = part.index[static_cast<std::size_t>(dimension)];
    return only < 0 || only == i;
  };
  Derivation sum;
  for (int t = 0; t < x.extent[0]; ++t) {
    if (!isMeant(0, t)) continue;
    for (int i = 0; i < x.extent[1]; ++i) {
      if (!isMeant(1, i)) continue;
      if (x.rank == 2) {
        sum.terms.push_back({&x(t, i), &g(t, i), -1});
        if (mean.data) sum.terms.push_back({&mean(i), &g(t, i)});
      }
      for (int k = 0; x.rank == 3 && k < x.extent[2]; ++k) {
        sum.terms.push_back({&x(t, i, k), &g(t, i, k), -1});
        if (mean.data) sum.terms.push_back({&mean(i, k), &g(t, i, k)});
      }
    }
  }
  return sum;
}

std::vector<float> estimateLeftOut(const Transformer& model, const Trace& whole,
                                   const Interventions& standing,
                                   std::span<const std::optional<Intervention>> parts, const Metric& metric,
                                   TensorSet& gradients, AblationKind as) {
  std::vector<std::string> points;
  for (const auto& part : parts)
    if (part && std::ranges::find(points, part->point) == points.end()) points.push_back(part->point);
  const BackwardFrom from = backwardFrom(model.config(), whole, metric);
  const auto pass = GradientPass::ran(model, whole, standing, points, from);
  const auto backward = BackwardPass::of(model, whole, standing, from);
  const std::string y = metric.kind == Metric::Kind::Loss ? "the loss" : predictedWords(metric.of);
  for (const std::string& point : points) {
    TracePoint gradient = whole.point(whole.find(point));
    gradient.name = gradientOf(point), gradient.equation = "∂y / ∂x";
    gradient.meaning = "how " + y + " changes with each number of " + point;
    const TensorView g = pass->gradient(point);
    gradients.addAcross(std::move(gradient),
                        Tensor(std::span(g.extent.data(), static_cast<std::size_t>(g.rank)), g.copy()),
                        [backward, point](const Index& at) { return backward.number(point, at); });
    if (as == AblationKind::Mean) addMeanOf(whole, point, gradients);
  }
  std::vector<float> estimates;
  for (const auto& part : parts)
    estimates.push_back(part ? static_cast<float>(derivedEstimate(whole, gradients, *part, as).value())
                             : NAN);
  return estimates;
}

}  // namespace glassformer
