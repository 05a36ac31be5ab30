#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// The text as a line, with an arc from each token back to every token that it attends to more than a little;
/// the heads of the set at once, each in its colour.
void drawArcsPicture(AttentionPicture& picture, Box area);

}  // namespace glassformer
