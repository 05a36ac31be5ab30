#pragma once
#include "app/views/positions/positions_picture.h"

namespace glassformer {

/// Chosen pairs of dimensions over position, a plot for each.
void drawCurvesPicture(PositionsPicture& picture, Box area);

}  // namespace glassformer
