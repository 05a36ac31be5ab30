#pragma once
#include "core/model/config.h"
#include "core/tensor/tensor.h"
#include "core/trace/trace.h"

namespace glassformer {

/// q · kᵀ / √K [T, S] of one head before the mask, from the queries and keys of the trace. Where no later key
/// is involved it is the trace's own attn_scores; the rest is what the mask hides.
Tensor unmaskedScores(const Trace& trace, const ModelConfig& config, int layer, int head);

}  // namespace glassformer
