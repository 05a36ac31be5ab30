#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// Of two texts that are compared: what becomes of this one's answer when a part of its pass is the other's.
void drawPatchPicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
