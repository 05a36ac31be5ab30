#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

// The steps of scaled dot-product attention (Vaswani et al. 2017, eq. 1), each head on its own columns.

/// scores[h, t, s] = q[t, h] · k[s, h] / √K, with q, k [R, H·K].
Value scaledScores(Tape& tape, const Value& q, const Value& k, int heads);

/// scores[h, t, s] = -inf where s > t, in place: no token sees a later one.
Value causalMask(Tape& tape, const Value& scores);

/// pattern[h, t, ·] = softmax(scores[h, t, ·]).
Value softmax(Tape& tape, const Value& scores);

/// z[t, h] = Σ_s pattern[h, t, s] v[s, h], with v [R, H·K].
Value weightedSum(Tape& tape, const Value& pattern, const Value& v);

}  // namespace glassformer
