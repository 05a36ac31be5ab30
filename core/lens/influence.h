#pragma once
#include "core/lens/prediction.h"
#include "core/model/transformer.h"
#include "core/trace/interventions.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// What a prediction depends on, measured: the gradient ∂logit[t, v]/∂x_s of one logit by the embedding
/// x_s = hook_embed of every token s, through the forward code that made the trace. `interventions` are those
/// that the trace went through; they are part of the function. Exactly 0 where no path leads from x_s to the
/// logit.

/// Adds, for one prediction,
///   lens.embedding_gradient [S, D]   g_s = ∂logit[t, v]/∂x_s
///   lens.influence [S]               ‖g_s‖, how sensitive the logit is to token s
///   lens.influence_by_input [S]      x_s · g_s, gradient times input (Simonyan et al. 2013, Shrikumar et al.
///                                    2016): how much the logit grows, to first order, as x_s does
/// and for an encoder-decoder the same of the source's tokens, lens.source_....
void measureInfluence(const Transformer& model, const Trace& trace, const Interventions& interventions,
                      Prediction prediction, TensorSet& measurements);

/// The most tokens for which the whole matrix is measured: it takes one pass backward per token.
inline constexpr int mostInfluenceRows = 64;

/// Adds, where the text has at most that many tokens,
///   lens.influenced_token [T]              the likeliest entry v at each position t
///   lens.influence_matrix [T, S]           ‖g_s‖ of logit[t, v]
///   lens.influence_by_input_matrix [T, S]  x_s · g_s
///   lens.influence_by_distance [X]         the mean of ‖g_s‖ over all pairs with s = t − distance; NaN where
///                                          the text is too short for one
///   lens.influence_by_distance_ahead [X]   the same for s = t + distance, where tokens see later ones
/// and for an encoder-decoder the first two of the source's tokens. Stopped by the watch it adds nothing.
void measureInfluenceMatrix(const Transformer& model, const Trace& trace, const Interventions& interventions,
                            TensorSet& measurements, const ProgressCallback& watch = noProgress);

}  // namespace glassformer
