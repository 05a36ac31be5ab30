#pragma once
#include "app/views/attention/attention_view.h"

namespace glassformer {

/// Painting a hypothesis on the cells of the large matrix: which queries look at which keys. A stroke takes
/// up or leaves out all that it crosses, as its first cell does.

/// Whether that is done here.
bool isPaintingPairs(const AttentionView& view);
/// Strokes and clicks on a grid of queries and keys paint.
void makePairable(const AttentionView& view, HitRegion& grid);
/// Outlines what is painted, in a matrix of this part.
void addPairMarks(AttentionView& view, const Box& box, const PlanePart& part);
/// What the head shares with the painting, what of the stock is like it, and the ways out. Takes what it
/// needs off the top of the area.
void addPairingRow(AttentionView& view, Box& area);

}  // namespace glassformer
