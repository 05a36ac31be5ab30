#pragma once
#include "app/views/landscape/landscape_picture.h"

namespace glassformer {

/// The landscape as a surface above its own contour lines, to be turned.
void drawSurfacePicture(LandscapePicture& picture, Box area);

}  // namespace glassformer
