#pragma once
#include "app/views/landscape/landscape_view.h"

namespace glassformer {

/// The landscape as a surface above its own contour lines, to be turned.
void drawSurfacePicture(LandscapeView& view, Box area);

}  // namespace glassformer
