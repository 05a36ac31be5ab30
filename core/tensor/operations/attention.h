#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

// The steps of attention (Vaswani et al. 2017, eq. 1), each head on its own columns. Keys and values may be
// of another stream than the queries (cross-attention), and may have fewer heads: then neighbouring query
// heads share one (grouped heads, Ainslie et al. 2023).

/// scores[h, t, s] = scale · q[t, h] · k[s, h], with q [R, H·K] and k [R', H'·K]. `fill` is what stands where
/// triangular squares hold nothing.
Value scaledScores(Tape& tape, const Value& q, const Value& k, int heads, float scale, bool triangular,
                   float fill);

/// scores[h, t, s] = b[h, s - t + n], with b [H, 2n + 1]: the distance alone decides.
Value distanceScores(Tape& tape, const Value& x, const Weight& b, bool triangular);

/// pattern[h, t, ·] = softmax(scores[h, t, ·]); a row of nothing but -inf becomes 0. `inPlace`: written over
/// the scores, which no derivative is made of.
Value softmax(Tape& tape, const Value& scores, bool inPlace = false);

/// pattern[h, t, s] = 1 for the largest score of the row (the first of equals), else 0. Its gradient is 0.
Value hardArgmax(Tape& tape, const Value& scores);

/// z[t, h] = Σ_s pattern[h, t, s] v[s, h], with v [R', H'·K'].
Value weightedSum(Tape& tape, const Value& pattern, const Value& v, int valueHeads);

}  // namespace glassformer
