#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y = x · W + b, with x [R, in], W [in, out], b [out]; y = x · W without a bias.
Value linear(Tape& tape, const Value& x, const Weight& weight, const Weight& bias = {});

/// logits = x · Eᵀ + b, with x [R, D], the (tied or own) unembedding E [V, D] and b [V]; x · Eᵀ without a
/// bias.
Value unembed(Tape& tape, const Value& x, const Weight& embedding, const Weight& bias = {});

}  // namespace glassformer
