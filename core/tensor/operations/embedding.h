#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y_r = factor · E[token_r], with E [V, D].
Value embedTokens(Tape& tape, const Weight& table, Stream stream = Stream::Text, float factor = 1);

/// y_(b,t) = P[t], with P [C, D]; a fixed table (sinusoidal) simply has no gradient.
Value embedPositions(Tape& tape, const Weight& table, Stream stream = Stream::Text);

}  // namespace glassformer
