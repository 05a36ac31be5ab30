#pragma once
#include "app/views/influence/influence_view.h"

namespace glassformer {

/// The model as a map: what becomes of the prediction without each head, each attention and each MLP.
void drawLeaveOutPicture(InfluenceView& view, Box area);

}  // namespace glassformer
