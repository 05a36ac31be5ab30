#pragma once
#include "app/views/influence/influence_view.h"

namespace glassformer {

/// The likeliest prediction at every position down, the tokens that it depends on across.
void drawInfluenceMatrixPicture(InfluenceView& view, Box area);

}  // namespace glassformer
