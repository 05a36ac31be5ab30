#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// Influence over the distance between two tokens, on average over the text.
void drawDistancePicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
