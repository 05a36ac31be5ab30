#pragma once
#include "core/lens/residual_stream.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What the unembedding would read if the model stopped at a place: its stream as the next sublayer finds it,
/// through the final norm where there is one. Row t, [D].
void readAt(const Transformer& model, const Trace& trace, const ResidualPlace& place, int t, float* result);

/// The logit lens (nostalgebraist 2020): the next token as it would be if the model stopped after each
/// sublayer, by sending the residual stream there through the final norm and the unembedding. For one
/// position `t`: lens.next_token [P, V] probabilities (the last row is what the model says),
/// lens.next_token_entropy [P] in nats.
void measureLogitLens(const Transformer& model, const Trace& trace, int t, TensorSet& measurements);

}  // namespace glassformer
