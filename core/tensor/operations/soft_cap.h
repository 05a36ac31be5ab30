#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y = c tanh(x / c), number by number, of squares [H, T, S] or of a table [R, V]: small numbers stay nearly
/// as they are, and none is larger than c (Gemma Team 2024, section 2; Bello et al. 2016). `fill` of squares
/// is what stands where triangular ones hold nothing.
Value softCap(Tape& tape, const Value& x, float cap, float fill = 0);

}  // namespace glassformer
