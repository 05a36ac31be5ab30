#pragma once
#include "app/views/positions/positions_picture.h"

namespace glassformer {

/// Both encodings as heatmaps, with a plot of the chosen dimension.
void drawEncodingPicture(PositionsPicture& picture, Box area);
/// How alike any two positions are, by cosine or dot product, with a plot of the chosen position.
void drawSimilarityPicture(PositionsPicture& picture, Box area);

}  // namespace glassformer
