#pragma once
#include "app/views/attention/attention_view.h"

namespace glassformer {

/// One plane of attention large, queries down and keys across, that zooms and pans; beside it the thumbnails
/// of all heads and where one query looks most.
void drawMatrixPicture(AttentionView& view, Box area);

}  // namespace glassformer
