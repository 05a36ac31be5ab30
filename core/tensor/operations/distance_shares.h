#pragma once
#include <span>
#include <vector>

#include "core/tensor/operations/attention_mask.h"

namespace glassformer {

/// The distances s − t at which a mask lets a token look, wherever it is: all, those up to 0, or the last few
/// of these; as far as b [H, 2n + 1] reaches. Painted cells and a prefix are of single places.
struct DistanceSpan {
  int first = 0, last = 0;
};
DistanceSpan distancesOf(const AttentionMask& mask, int reach);

/// The filter of one head: w[δ] = exp(b[δ]) / Σ exp(b) over the distances of the span, first to last, with
/// b[reach + δ] in `row`.
std::vector<float> distanceFilter(std::span<const float> row, DistanceSpan span);

/// pattern[h, t, s] = w[s − t] with this filter, 0 where scores are -inf. What stands beside the text has its
/// share, too, and hands on nothing, as if it were 0: so the pattern is a Toeplitz matrix, its rows at the
/// border sum to less than 1, and pattern · v is a convolution (Cordonnier et al. 2020). `scores`: b[s − t],
/// masked.
Value distanceShares(Tape& tape, const Value& scores, const Weight& b, const AttentionMask& mask);

}  // namespace glassformer
