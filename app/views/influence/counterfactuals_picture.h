#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// What changes the model's answer: single tokens in the place of others, and the fewest heads switched off,
/// each with what was and is probable. A click takes the change.
void drawChangesPicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
