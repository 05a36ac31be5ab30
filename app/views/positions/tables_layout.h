#pragma once
#include "app/views/positions/positions_view.h"

namespace glassformer {

/// Both encodings as heatmaps, with a plot of the chosen dimension.
void drawEncodingLayout(PositionsView& view, Box area);
/// How alike any two positions are, by cosine or dot product, with a plot of the chosen position.
void drawSimilarityLayout(PositionsView& view, Box area);

}  // namespace glassformer
