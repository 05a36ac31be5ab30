#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// Painting a rule on the cells of the large matrix: which queries look at which keys. A stroke takes
/// up or leaves out all that it crosses, as its first cell does.

/// Whether that is done here.
bool isPaintingPairs(const AttentionPicture& picture);
/// Strokes and clicks on a grid of queries and keys paint.
void makePairable(const AttentionPicture& picture, HitRegion& grid);
/// Outlines what is painted, in a matrix of this window.
void addPairMarks(AttentionPicture& picture, const Box& box, const PlaneWindow& window);
/// What the head shares with the painting, what of the stock is like it, and the ways out. Takes what it
/// needs off the top of the area.
void addPairingRow(AttentionPicture& picture, Box& area);

}  // namespace glassformer
