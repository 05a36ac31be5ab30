#pragma once
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// The scale 1 / σ of the norm that reads the residual stream after every half-layer, per token.
void drawScalesPicture(ResidualPicture& picture, Box area);

}  // namespace glassformer
