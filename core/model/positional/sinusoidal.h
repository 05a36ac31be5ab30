#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Sines and cosines of fixed frequencies, added to the embedding (Vaswani et al. 2017, section 3.5).
const PositionalEncoding& sinusoidalPositions();

/// p[t, 2i] = sin(t / base^(2i/D)), p[t, 2i+1] = cos(t / base^(2i/D)). [C, D]
Tensor sinusoids(int context, int width, double base = 10000);

}  // namespace glassformer
