#pragma once
#include "core/tensor/tensor.h"

namespace glassformer {

/// The mean over all pairs (t, t + step · distance) inside a matrix [T, S] of pairs of tokens, for the first
/// `distances` distances. Pairs without a number do not count; NaN where there is no other.
Tensor meanByDistance(const TensorView& pairs, int step, int distances);

}  // namespace glassformer
