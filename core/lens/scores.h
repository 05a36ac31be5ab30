#pragma once
#include <optional>
#include <string>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The scores [H, T, S] of an attention before any mask, later keys included: its own operations once more,
/// on the queries and keys of the trace, for the mask writes over what they gave.
Tensor unmaskedScores(const Transformer& model, const Trace& trace, int layer, AttentionSite site);

/// The same before they are capped.
Tensor uncappedScores(const Transformer& model, const Trace& trace, int layer, AttentionSite site);

/// q · kᵀ [H, T, S], before anything is done to it.
Tensor productsOfQueriesAndKeys(const Transformer& model, const Trace& trace, int layer, AttentionSite site);

/// What the positional encoding adds to the scores [H, T, S], where it shifts them.
Tensor positionBias(const Transformer& model, const Trace& trace, int layer, AttentionSite site);

/// The score that gives a key this weight in the softmax of its row, all other scores [S] as they are:
/// s = ln(a / (1 − a)) + ln Σ_{j≠key} exp s_j. `weight` between 0 and 1, both excluded. Nothing where the row
/// has no other key.
std::optional<float> scoreForWeight(const TensorView& scores, int key, float weight);

/// How the scores are computed: "q · kᵀ / √K", and before they are capped.
std::string scoresEquation(const Transformer& model, const Trace& trace, int layer, AttentionSite site);
std::string uncappedEquation(const Transformer& model, const Trace& trace, int layer, AttentionSite site);

}  // namespace glassformer
