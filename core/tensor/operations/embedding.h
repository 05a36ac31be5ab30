#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y_r = factor · E[token_r], with E [V, D]; its last `empty` columns are 0, for others to fill.
Value embedTokens(Tape& tape, const Weight& table, Stream stream = Stream::Text, float factor = 1,
                  int empty = 0);

/// y_(b,t) = P[t], with P [C, D]; a fixed table (sinusoidal) simply has no gradient.
Value embedPositions(Tape& tape, const Weight& table, Stream stream = Stream::Text);

/// y_(b,t) = S[z], with S [Z, D] and z the number of separators before t in its sequence, Z − 1 at most:
/// which of several texts in a row the token belongs to, each of which ends with a separator (Devlin et al.
/// 2018).
Value embedTypes(Tape& tape, const Weight& table, int separator, Stream stream = Stream::Text);

}  // namespace glassformer
