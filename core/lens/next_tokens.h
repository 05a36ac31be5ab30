#pragma once
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// How many of the likeliest next tokens are listed at each position, at most. Letter R counts them.
inline constexpr int listedTokens = 8;

/// What the model expects after each token of the text, and what comes: lens.top_token [T, R] the likeliest
/// entries (of equals the lower one first), lens.top_probability [T, R] their probabilities;
/// lens.actual_probability [T] that of the token that follows, lens.surprise [T] its −ln p in nats. Nothing
/// follows the last token: NaN. lens.loss [1] is their mean, where there is any.
void measureNextTokens(const Trace& trace, TensorSet& measurements,
                       const ProgressCallback& watch = noProgress);

}  // namespace glassformer
