#pragma once
#include "app/views/positions/positions_view.h"

namespace glassformer {

/// Chosen pairs of dimensions as unit arrows: the angle that (p[2i], p[2i + 1]), read as sine and cosine, has
/// at each position.
void drawPhasorsPicture(PositionsView& view, Box area);

}  // namespace glassformer
