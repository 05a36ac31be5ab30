#pragma once
#include "core/trace/tensor_set.h"

namespace glassformer {

/// The mean over all pairs (t, t + step · distance) inside a matrix [T, S] of pairs of tokens, for the first
/// `distances` distances. Pairs without a number do not count; NaN where there is no other.
Tensor meanByDistance(const TensorView& pairs, int step, int distances);
/// What makes the number of a distance there: each of these pairs, divided by how many there are.
TensorSet::DerivationOf atDistance(const TensorView& pairs, int step);

}  // namespace glassformer
