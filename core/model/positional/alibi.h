#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Scores fall linearly with the distance, at a slope of its own for each head (Press et al. 2022).
const PositionalEncoding& alibiPositions();

/// m_h = 2^(-8 (h + 1) / H).
float alibiSlope(int head, int heads);

}  // namespace glassformer
