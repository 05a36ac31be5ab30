#pragma once
#include "app/views/positions/positions_picture.h"

namespace glassformer {

/// p(t + Δ) − p(t) of both encodings for a chosen Δ, and its length over position.
void drawDifferencesPicture(PositionsPicture& picture, Box area);

}  // namespace glassformer
