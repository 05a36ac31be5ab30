#pragma once
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// Length of each token's residual stream after every half-layer, and what attention and the MLP add.
void drawNormsPicture(ResidualPicture& picture, Box area);

}  // namespace glassformer
