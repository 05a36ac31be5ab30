#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// The model as a map: what becomes of the prediction without each head, each attention and each MLP.
void drawLeaveOutPicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
