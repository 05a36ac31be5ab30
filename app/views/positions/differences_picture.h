#pragma once
#include "app/views/positions/positions_view.h"

namespace glassformer {

/// p(t + Δ) − p(t) of both encodings for a chosen Δ, and its length over position.
void drawDifferencesPicture(PositionsView& view, Box area);

}  // namespace glassformer
