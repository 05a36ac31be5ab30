#pragma once
#include "core/lens/residual_stream.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What the unembedding would read if the model stopped at a place: its stream as the next sublayer finds it,
/// through the final norm and the head's layer where there are such. Rows t, t + 1, ... [rows, D].
void readAt(const Transformer& model, const Trace& trace, const ResidualPlace& place, int t, int rows,
            float* result);

/// What the unembedding makes of that: x · W_U + b of rows x [rows, D], into logits [rows, V].
void unembedRows(const Transformer& model, const float* x, int rows, float* logits);

/// The logit lens (nostalgebraist 2020): the next token as it would be if the model stopped after each
/// sublayer, by sending the residual stream there through all that follows the last block. For one
/// position `t`: lens.next_token [P, V] probabilities (the last row is what the model says),
/// lens.next_token_entropy [P] in nats. Without the model's weights there is the last row alone, and without
/// logits nothing.
void measureLogitLens(const Transformer& model, const Trace& trace, int t, TensorSet& measurements);

}  // namespace glassformer
