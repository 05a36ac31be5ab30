#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

struct Normalized {
  Value scale;  ///< σ per row, [R, 1]
  Value value;  ///< [R, D]
};

/// Layer normalization, per row: γ ⊙ (x - mean(x)) / σ + β, σ = √(var(x) + ε) (Ba, Kiros & Hinton 2016).
Normalized layerNorm(Tape& tape, const Value& x, const Weight& gamma, const Weight& beta, float epsilon);

/// Without the mean: γ ⊙ x / ρ, ρ = √(mean(x²) + ε), which is what `scale` holds (Zhang & Sennrich 2019).
/// Where γ is narrower than x, as of queries head by head, each stretch of its width is normalized by itself:
/// `scale` has a column for each.
Normalized rmsNorm(Tape& tape, const Value& x, const Weight& gamma, float epsilon);

}  // namespace glassformer
