#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// The likeliest prediction at every position down, the tokens that it depends on across.
void drawInfluenceMatrixPicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
