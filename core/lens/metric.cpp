#include "core/lens/metric.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/lens/ablation.h"
#include "core/lens/across_changes.h"
#include "core/lens/contributions.h"
#include "core/lens/counterfactual.h"
#include "core/lens/part_effects.h"
#include "core/tensor/operations/loss.h"

namespace glassformer {
namespace {

bool fillsGaps(const ModelConfig& config) { return config.stack == Stack::EncoderOnly; }

// The positions at which a model that fills gaps is asked, or at which one that continues predicts.
std::vector<int> askedPositions(const Trace& trace, const std::vector<int>& gaps) {
  if (!gaps.empty()) return gaps;
  std::vector<int> all(static_cast<std::size_t>(trace.tokenCount()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

Metric ownMetric(Metric::Kind kind, AnswerMetric::As as, bool isDifference, const Trace& trace,
                 const std::vector<int>& gaps, const CountedTokens& counted) {
  if (kind == Metric::Kind::Loss) return {.gaps = gaps, .counted = counted};
  const int at = gaps.empty() ? trace.tokenCount() - 1 : gaps.front(), answer = likeliestEntry(trace, at);
  Metric own{.kind = kind, .of = {{at, answer}}};
  if (kind == Metric::Kind::Answer) own.of.as = as;
  if (kind == Metric::Kind::Answer && isDifference) own.of.against = runnerUp(trace["logits"][at], answer);
  return own;
}

BackwardFrom backwardFrom(const ModelConfig& config, const Trace& trace, const Metric& metric) {
  if (metric.kind != Metric::Kind::Loss) return {metric.of, {}};
  std::vector<int> targets(trace.tokens().size(), Targets::none);
  if (fillsGaps(config))
    for (const int at : askedPositions(trace, metric.gaps))
      targets[static_cast<std::size_t>(at)] = likeliestEntry(trace, at);
  else
    for (std::size_t t = 0; t + 1 < targets.size(); ++t)
      if (counts(metric.counted, t)) targets[t] = trace.tokens()[t + 1];
  return {{}, std::move(targets)};
}

MetricOfPass::MetricOfPass(const ModelConfig& config, const Trace& trace, const Metric& metric)
    : metric_(metric) {
  if (metric.kind != Metric::Kind::Loss)
    keep(trace, metric.of.prediction.position);
  else if (fillsGaps(config))
    for (const int at : askedPositions(trace, metric.gaps)) keep(trace, at);
  else
    losses_ = tokenLossesOf(trace);
}

void MetricOfPass::keep(const Trace& trace, int position) {
  logits_.push_back(trace["logits"][position].copy());
}

float MetricOfPass::changeTo(const MetricOfPass& changed) const {
  if (metric_.kind == Metric::Kind::Answer)
    return static_cast<float>(valueOf(metric_.of, changed.logits_.front()) -
                              valueOf(metric_.of, logits_.front()));
  if (logits_.empty() && losses_.tokens() == 0) return NAN;  // nothing comes
  if (logits_.empty()) return effectOn(losses_, changed.losses_, metric_.counted).loss;
  double sum = 0;
  for (std::size_t i = 0; i < logits_.size(); ++i) sum += divergenceOf(logits_[i], changed.logits_[i]);
  return static_cast<float>(sum / static_cast<double>(logits_.size()));
}

MultiPassDerivation metricAcross(const ModelConfig& config, ReplayedPass whole, ReplayedPass changed,
                                 const Metric& metric) {
  if (metric.kind == Metric::Kind::Answer)
    return answerAcross(std::move(whole), std::move(changed), metric.of);
  if (metric.kind == Metric::Kind::Divergence)
    return divergenceAcross(std::move(whole), std::move(changed), metric.of.prediction.position);
  if (!fillsGaps(config)) return lossAcross(std::move(whole), std::move(changed), metric.counted);
  const std::vector<int> positions = askedPositions(*whole.trace, metric.gaps);
  return meanDivergenceAcross(std::move(whole), std::move(changed), positions);
}

float answersKept(const ModelConfig& config, const Trace& whole, const Trace& changed, const Metric& metric) {
  const auto positions = askedPositions(whole, fillsGaps(config) ? metric.gaps : std::vector<int>());
  const auto same = std::ranges::count_if(
      positions, [&](int t) { return likeliestEntry(whole, t) == likeliestEntry(changed, t); });
  return static_cast<float>(same) / static_cast<float>(positions.size());
}

std::string equationOf(const Metric& metric, const ModelConfig& config, const std::string& changed) {
  if (metric.kind == Metric::Kind::Divergence || (metric.kind == Metric::Kind::Loss && fillsGaps(config)))
    return "KL(p ‖ p " + changed + ")";
  const std::string y = metric.kind == Metric::Kind::Loss ? "L" : equationOf(metric.of);
  return y.find(' ') == std::string::npos || y == "ln p" ? y + " " + changed + " − " + y
                                                         : "(" + y + ") " + changed + " − (" + y + ")";
}

std::string wordsOf(const Metric& metric, const ModelConfig& config) {
  if (metric.kind == Metric::Kind::Answer) return "change in " + predictedWords(metric.of) + "";
  if (metric.kind == Metric::Kind::Divergence) return "KL divergence";
  return fillsGaps(config) ? "KL divergence at the masked tokens" : "rise of the loss";
}

}  // namespace glassformer
