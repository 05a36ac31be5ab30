#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// Two planes side by side and what sets them apart: two heads, or what one head looks at and what it moves.
void drawTwoHeadsPicture(AttentionPicture& picture, Box area);

}  // namespace glassformer
