#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// The text twice, coloured by how much the chosen token attends to each token, and how much each attends to
/// it.
void drawSentencePicture(AttentionPicture& picture, Box area);

}  // namespace glassformer
