#include "core/lens/answer_metric.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/lens/across_changes.h"
#include "core/lens/distribution.h"
#include "core/log_sum_exp.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

using As = AnswerMetric::As;

double meanOfLogits(std::span<const float> z) {
  return std::accumulate(z.begin(), z.end(), 0.0) / static_cast<double>(z.size());
}

// z_v − mean(z), times ±1.
void addCentred(const TensorView& z, int entry, float sign, Derivation& sum) {
  sum.terms.push_back({&z(entry), nullptr, sign});
  for (int v = 0; v < z.extent[0]; ++v)
    sum.terms.push_back({&z(v), nullptr, -sign / static_cast<float>(z.extent[0])});
}

}  // namespace

double valueOf(const AnswerMetric& metric, std::span<const float> z) {
  const auto at = [&](int v) { return static_cast<double>(z[static_cast<std::size_t>(v)]); };
  const double own = at(metric.prediction.entry);
  switch (metric.as) {
    case As::CentredLogit:
      return own - meanOfLogits(z);
    case As::LogProbability:
      return own - logSumExp(z);
    case As::Probability:
      return std::exp(own - logSumExp(z));
    case As::Logit:
      break;
  }
  return own - (metric.against < 0 ? 0 : at(metric.against));
}

double valueOf(const AnswerMetric& metric, const Trace& trace) {
  const TensorView z = trace["logits"][metric.prediction.position];
  return valueOf(metric, {z.data, static_cast<std::size_t>(z.extent[0])});
}

std::vector<float> slopesOf(const AnswerMetric& metric, std::span<const float> z) {
  const auto own = static_cast<std::size_t>(metric.prediction.entry);
  const double sum = logSumExp(z);
  const auto p = [&](std::size_t v) { return std::exp(static_cast<double>(z[v]) - sum); };
  std::vector<float> slopes(z.size());
  for (std::size_t v = 0; v < z.size(); ++v) {
    const double isOwn = v == own ? 1 : 0, isAgainst = static_cast<int>(v) == metric.against ? 1 : 0;
    const double slope = metric.as == As::Logit            ? isOwn - isAgainst
                         : metric.as == As::CentredLogit   ? isOwn - 1 / static_cast<double>(z.size())
                         : metric.as == As::LogProbability ? isOwn - p(v)
                                                           : p(own) * (isOwn - p(v));
    slopes[v] = static_cast<float>(slope);
  }
  return slopes;
}

TensorSet::DerivationOf slopesMadeOf(const AnswerMetric& metric, const Trace& trace, TensorSet& set) {
  const auto [position, own] = metric.prediction;
  const int V = trace["logits"].extent[1];
  const TensorView p = metric.as == As::LogProbability || metric.as == As::Probability
                           ? measureDistribution(trace, position, set).p
                           : TensorView();
  return [metric, position = position, own = own, V, p](const Index& at) {
    Derivation made;
    if (at[0] != position) return made;
    const int v = at[1];
    const Cell factor = metric.as == As::Probability ? &p(own) : nullptr;
    if (v == own) made.terms.push_back({factor});
    if (metric.as == As::Logit && v == metric.against) made.terms.push_back({nullptr, nullptr, -1});
    if (metric.as == As::CentredLogit) made.terms.push_back({nullptr, nullptr, -1 / static_cast<float>(V)});
    if (p.data) made.terms.push_back({&p(v), factor, -1});
    return made;
  };
}

MultiPassDerivation answerAcross(ReplayedPass whole, ReplayedPass changed, const AnswerMetric& metric) {
  const auto [position, entry] = metric.prediction;
  if (metric.as == As::Logit && metric.against >= 0)
    return leadAcross(std::move(whole), std::move(changed), position, entry, metric.against);
  Derivation change;
  if (metric.as == As::Logit || metric.as == As::CentredLogit) {
    const TensorView with = (*whole.trace)["logits"][position],
                     without = (*changed.trace)["logits"][position];
    if (metric.as == As::Logit)
      change = derivedDifference(&without(entry), &with(entry));
    else
      addCentred(without, entry, 1, change), addCentred(with, entry, -1, change);
  } else {
    const Distribution with = distributionAt(whole, position), without = distributionAt(changed, position);
    change = metric.as == As::Probability ? derivedDifference(&without.p(entry), &with.p(entry))
                                          : derivedDifference(&without.logP(entry), &with.logP(entry));
  }
  return {std::move(change), {std::move(whole), std::move(changed)}};
}

std::string predictedWords(const AnswerMetric& metric) {
  switch (metric.as) {
    case As::CentredLogit:
      return "the predicted logit above the mean logit";
    case As::LogProbability:
      return "the logarithm of the predicted probability";
    case As::Probability:
      return "the predicted probability";
    case As::Logit:
      break;
  }
  return metric.against < 0 ? "the predicted logit" : "the logit difference";
}

std::string equationOf(const AnswerMetric& metric) {
  switch (metric.as) {
    case As::CentredLogit:
      return "z − mean(z)";
    case As::LogProbability:
      return "ln p";
    case As::Probability:
      return "p";
    case As::Logit:
      break;
  }
  return metric.against < 0 ? "z" : "z_a − z_b";
}

}  // namespace glassformer
