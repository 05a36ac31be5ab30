#pragma once
#include "app/views/influence/influence_view.h"

namespace glassformer {

/// Influence over the distance between two tokens, on average over the text.
void drawDistancePicture(InfluenceView& view, Box area);

}  // namespace glassformer
