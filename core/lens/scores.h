#pragma once
#include "core/model/config.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Adds lens.scores [T, S] of one head: q · kᵀ / √K before the mask, from the queries and keys of the trace.
/// Where no later key is involved it is the trace's own attn_scores; the rest is what the mask hides.
void measureScores(const Trace& trace, const ModelConfig& config, int layer, int head,
                   TensorSet& measurements);

}  // namespace glassformer
