#pragma once
#include "app/scene/influence/influence_view.h"

namespace glassformer {

/// The text coloured by how much each token influences the chosen prediction, and the same numbers as bars.
void drawInfluenceSentenceLayout(InfluenceView& view, Box area);

}  // namespace glassformer
