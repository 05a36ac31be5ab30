#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// Whether the matrix gives way to the patterns of all heads, each as large as fits, layers down and heads
/// across, with the tokens at the outer edges. A click on a head opens its matrix.
bool showsAllHeads(const AttentionPicture& picture);
void drawAllHeads(AttentionPicture& picture, Box area);
/// The way there.
Choice allHeadsChoice(const AttentionPicture& picture);

}  // namespace glassformer
