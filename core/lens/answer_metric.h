#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/lens/prediction.h"
#include "core/trace/across_passes.h"
#include "core/trace/trace.h"

namespace glassformer {

/// y of the logits z [V] at the position that is asked about.
double valueOf(const AnswerMetric& metric, std::span<const float> logits);
double valueOf(const AnswerMetric& metric, const Trace& trace);

/// ∂y/∂z [V]: where a pass backward begins. With e_v the unit vector, e_v − e_against, e_v − 1/V, e_v − p, or
/// p_v (e_v − p).
std::vector<float> slopesOf(const AnswerMetric& metric, std::span<const float> logits);
/// One entry of them, with what made it; `set` borrows the pass and keeps its probabilities.
TensorSet::DerivationOf slopesMadeOf(const AnswerMetric& metric, const Trace& trace, TensorSet& set);

/// y changed − y.
MultiPassDerivation answerAcross(ReplayedPass whole, ReplayedPass changed, const AnswerMetric& metric);

/// "the predicted logit", "its lead over another", "the predicted probability".
std::string predictedWords(const AnswerMetric& metric);
/// "z", "z_a − z_b", "z − mean(z)", "ln p", "p".
std::string equationOf(const AnswerMetric& metric);

}  // namespace glassformer
