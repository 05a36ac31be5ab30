#pragma once
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// Cosines between states: of the selected token at any two places, and of every token with its final state.
void drawCosinePicture(ResidualPicture& picture, Box area);

}  // namespace glassformer
