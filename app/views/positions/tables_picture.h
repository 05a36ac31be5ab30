#pragma once
#include "app/views/positions/positions_view.h"

namespace glassformer {

/// Both encodings as heatmaps, with a plot of the chosen dimension.
void drawEncodingPicture(PositionsView& view, Box area);
/// How alike any two positions are, by cosine or dot product, with a plot of the chosen position.
void drawSimilarityPicture(PositionsView& view, Box area);

}  // namespace glassformer
