#pragma once
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The logit lens (nostalgebraist 2020): the next token as it would be if the model stopped after each
/// sublayer, by sending the residual stream there through all that follows the last block. For one
/// position `t`: lens.next_token [P, V] probabilities (the last row is what the model says),
/// lens.next_token_entropy [P] in nats. Without the model's weights there is the last row alone, and without
/// logits nothing.
void measureLogitLens(const Transformer& model, const Trace& trace, int t, TensorSet& measurements);

}  // namespace glassformer
