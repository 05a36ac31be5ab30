#pragma once
#include "app/views/positions/positions_view.h"

namespace glassformer {

/// A head's scores taken apart: what positions alone make of them, and the rest; see
/// core/lens/position_scores.h.
void drawScoresPicture(PositionsView& view, Box area);

}  // namespace glassformer
