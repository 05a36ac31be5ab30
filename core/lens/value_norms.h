#pragma once
#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/tensor/tensor.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What one head makes of rows [R, K] of its own (its z, or values of its group): rows · W_O [R, D], or the
/// rows themselves where the readout is one matrix.
Tensor writtenBy(const Transformer& model, HeadId head, const TensorView& rows);

/// ‖v_s · W_O‖ [S] of one head: how long the vector is that a token's value becomes in the residual stream
/// before attention weighs it. With it ‖A[t,s] · v_s · W_O‖ = A[t,s] · ‖v_s · W_O‖, what the head really
/// moves (Kobayashi et al. 2020, "Attention is not only a weight"); the output bias belongs to no key and is
/// left out.
Tensor valueNorms(const Transformer& model, const Trace& trace, HeadId head);

}  // namespace glassformer
