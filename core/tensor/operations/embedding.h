#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y_r = E[token_r], with E [V, D].
Value embedTokens(Tape& tape, const Weight& table);

/// y_(b,t) = P[t], with P [C, D]; a fixed table (sinusoidal) simply has no gradient.
Value embedPositions(Tape& tape, const Weight& table);

}  // namespace glassformer
