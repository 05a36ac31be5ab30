#pragma once
#include "core/model/transformer.h"
#include "core/tensor/tensor.h"
#include "core/trace/trace.h"

namespace glassformer {

/// ‖v_s · W_O‖ [S] of one head: how long the vector is that a token's value becomes in the residual stream
/// before attention weighs it. With it ‖A[t,s] · v_s · W_O‖ = A[t,s] · ‖v_s · W_O‖, what the head really
/// moves (Kobayashi et al. 2020, "Attention is not only a weight"); the output bias belongs to no key and is
/// left out.
Tensor valueNorms(const Transformer& model, const Trace& trace, int layer, int head);

}  // namespace glassformer
