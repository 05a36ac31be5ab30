#pragma once
#include "app/views/positions/positions_picture.h"

namespace glassformer {

/// Chosen pairs of dimensions as unit arrows: the angle that (p[2i], p[2i + 1]), read as sine and cosine, has
/// at each position.
void drawPhasorsPicture(PositionsPicture& picture, Box area);

}  // namespace glassformer
