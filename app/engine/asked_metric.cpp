#include "app/engine/asked_metric.h"

#include "app/document/attribution_settings.h"
#include "app/engine/corpus.h"
#include "core/lens/counterfactual.h"

namespace glassformer {

AnswerMetric askedAnswer(const ViewSettings& settings, const ShownPass& pass, const MetricChoice& metric) {
  AnswerMetric answer{pass.predicted, -1, metric.as};
  if (!metric.isDifference || !pass.hasTrace() || pass.predicted.entry < 0) return answer;
  const TensorView z = (*pass.trace)["logits"][pass.predicted.position];
  answer.against = chosenAgainst(settings, pass.predicted.entry, z.extent[0]);
  if (answer.against < 0) answer.against = runnerUp(z, pass.predicted.entry);
  return answer;
}

Metric askedMetric(const ViewSettings& settings, const ShownPass& pass, const MetricChoice& metric,
                   int mask) {
  Metric asked{.kind = metric.kind};
  if (metric.kind == Metric::Kind::Loss) {
    const std::vector<int>& tokens = pass.trace->tokens();
    asked.gaps = gapsOf(tokens, mask);
    asked.counted = countedTokens(settings.chosen(countedPositions), tokens.size(), pass.trained);
  } else {
    asked.of = askedAnswer(settings, pass, metric);
  }
  return asked;
}

}  // namespace glassformer
