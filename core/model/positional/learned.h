#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// A learned vector per position, P = wpe.weight [C, D], added to the embedding (Radford et al. 2018).
const PositionalEncoding& learnedPositions();

}  // namespace glassformer
