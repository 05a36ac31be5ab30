#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// The text coloured by how much each token influences the chosen prediction, and the same numbers as bars.
void drawInfluenceSentencePicture(InfluencePicture& picture, Box area);
/// The same in the place of a matrix that would be too large.
void drawOneInfluence(InfluencePicture& picture, Box area);

}  // namespace glassformer
