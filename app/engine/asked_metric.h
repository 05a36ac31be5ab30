#pragma once
#include "app/document/metric_settings.h"
#include "app/document/workspace.h"
#include "app/engine/shown_pass.h"
#include "core/model/config.h"

namespace glassformer {

/// The answer that is asked about in a pass, by a metric: a difference is to the contrast token that is
/// chosen, or else to the second most probable entry.
AnswerMetric askedAnswer(const ViewSettings& settings, const ShownPass& pass, const MetricChoice& metric);
/// The same with all that the metric reads; `mask`: the model's token for a gap, −1: none.
Metric askedMetric(const ViewSettings& settings, const ShownPass& pass, const MetricChoice& metric, int mask);

}  // namespace glassformer
