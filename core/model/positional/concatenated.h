#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Sinusoids beside the embedding in place of on top of it: x = [E[token]; p[t]]. The last P columns of the
/// stream begin with the position alone, the others with the token alone. As a sum of two vectors none of
/// whose columns overlap it is added like every other table: concatenating is adding where the other is 0.
const PositionalEncoding& concatenatedPositions();

}  // namespace glassformer
