#pragma once
#include "app/views/positions/positions_view.h"

namespace glassformer {

/// Chosen pairs of dimensions over position, a plot for each.
void drawCurvesPicture(PositionsView& view, Box area);

}  // namespace glassformer
