#pragma once
#include "app/views/positions/positions_picture.h"

namespace glassformer {

/// A head's scores taken apart: what positions alone make of them, and the rest; see
/// core/lens/position_scores.h.
void drawScoresPicture(PositionsPicture& picture, Box area);

}  // namespace glassformer
