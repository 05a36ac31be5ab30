#pragma once
#include "app/views/attention/attention_view.h"

namespace glassformer {

/// Two planes side by side and what sets them apart: two heads, or what one head looks at and what it moves.
void drawTwoHeadsPicture(AttentionView& view, Box area);

}  // namespace glassformer
