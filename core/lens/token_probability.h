#pragma once
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// How probable the model found each token of the text, given all before it: lens.token_probability [T],
/// p(x_t | x_0 … x_{t−1}) = softmax(logits_{t−1})[x_t]. NaN for the first token, before which nothing comes.
void measureTokenProbability(const Trace& trace, TensorSet& measurements,
                             const ProgressCallback& watch = noProgress);

}  // namespace glassformer
