#pragma once
#include "app/views/influence/influence_view.h"

namespace glassformer {

/// The logit that is asked about, or what parts two, attributed to every token by integrated gradients: the
/// text in their colours and as bars, what they sum to beside what that should be, and z along the path.
void drawIntegratedPicture(InfluenceView& view, Box area);

}  // namespace glassformer
