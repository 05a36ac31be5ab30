#pragma once
#include <optional>

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

/// These numbers of position t, for whoever measures them before that position's pass is through, or looks
/// at the same one again.
struct LogitLens {
  int position = 0;
  Tensor probabilities, entropies;  ///< [P, V], [P]
};
/// Reads of the trace row t alone. Nothing without logits.
std::optional<LogitLens> logitLensOf(const Transformer& model, const Trace& trace, int t);
/// Adds them, as measureLogitLens() does, as those of this trace.
void addLogitLens(const LogitLens& lens, const Transformer& model, const Trace& trace,
                  TensorSet& measurements);

}  // namespace glassformer
