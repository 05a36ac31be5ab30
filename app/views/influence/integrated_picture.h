#pragma once
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// The logit that is asked about, or what parts two, attributed to every token by integrated gradients: the
/// text in their colours and as bars, what they sum to beside what that should be, and z along the path.
void drawIntegratedPicture(InfluencePicture& picture, Box area);

}  // namespace glassformer
