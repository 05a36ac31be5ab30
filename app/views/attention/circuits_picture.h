#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// What the selected head reads and writes, off its weights alone: the singular values of its two matrices,
/// the pairs of tokens that they prefer, and the heads of other blocks that it works with.
void drawCircuitsPicture(AttentionPicture& picture, Box area);

}  // namespace glassformer
