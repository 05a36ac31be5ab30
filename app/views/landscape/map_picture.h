#pragma once
#include "app/views/landscape/landscape_picture.h"

namespace glassformer {

/// The landscape from above: a heatmap with contour lines, a to the right and b upwards.
void drawMapPicture(LandscapePicture& picture, Box area);

}  // namespace glassformer
