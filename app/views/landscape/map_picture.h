#pragma once
#include "app/views/landscape/landscape_view.h"

namespace glassformer {

/// The landscape from above: a heatmap with contour lines, a to the right and b upwards.
void drawMapPicture(LandscapeView& view, Box area);

}  // namespace glassformer
