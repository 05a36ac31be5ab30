#pragma once
#include "core/model/config.h"
#include "core/model/parameters.h"

namespace glassformer {

/// What each head of every attention has of its own: slices of W_Q, W_K, W_V and their biases, of W_O, and of
/// what positions add to its scores.

/// The largest difference between a number of one head and the same number of the first head of its
/// attention. Heads that share keys and values have these in common. 0 without attention.
double headsApart(const ModelConfig& config, const Parameters& parameters);

/// Makes all heads of an attention more alike, in owned weights: w_h ← a · w_0 + √(1 − a²) · w_h, which
/// leaves deviations as they are. With a = 1 they are the same; with 0 nothing changes.
void makeHeadsAlike(const ModelConfig& config, Parameters& parameters, float alike);

}  // namespace glassformer
