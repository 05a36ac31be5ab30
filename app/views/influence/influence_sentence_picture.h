#pragma once
#include "app/views/influence/influence_view.h"

namespace glassformer {

/// The text coloured by how much each token influences the chosen prediction, and the same numbers as bars.
void drawInfluenceSentencePicture(InfluenceView& view, Box area);
/// The same in the place of a matrix that would be too large.
void drawOneInfluence(InfluenceView& view, Box area);

}  // namespace glassformer
