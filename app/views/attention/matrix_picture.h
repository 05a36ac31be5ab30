#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// One plane of attention large, queries down and keys across, that zooms and pans; beside it the thumbnails
/// of all heads and where one query looks most.
void drawMatrixPicture(AttentionPicture& picture, Box area);

}  // namespace glassformer
