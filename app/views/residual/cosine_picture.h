#pragma once
#include "app/views/residual/residual_view.h"

namespace glassformer {

/// Cosines between states: of the selected token at any two places, and of every token with its final state.
void drawCosinePicture(ResidualView& view, Box area);

}  // namespace glassformer
