#pragma once
#include "app/views/residual/residual_view.h"

namespace glassformer {

/// The scale 1 / σ of the norm that reads the residual stream after every half-layer, per token.
void drawScalesPicture(ResidualView& view, Box area);

}  // namespace glassformer
