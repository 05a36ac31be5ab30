#pragma once
#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/tensor/tensor.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The scores [T, S] of one head before the mask, q · kᵀ / √K and what else the config makes of it, from the
/// queries and keys of the trace. Where the mask allows a key it is the trace's own attn_scores; the rest is
/// what the mask hides.
Tensor unmaskedScores(const Transformer& model, const Trace& trace, HeadId head);

}  // namespace glassformer
