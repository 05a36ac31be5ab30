#pragma once
#include "app/views/attention/attention_picture.h"

namespace glassformer {

/// Painting the mask on the cells of the large matrix: a stroke forbids or allows all that it crosses, as its
/// first cell changes.

/// The cells on the way from one to another, the first one left out unless it is the only one.
std::vector<PaintedCell> cellsBetween(const Target& from, const Target& to, bool allowed);
/// Whether what is shown has a mask that can be painted here.
bool canPaintMask(const AttentionPicture& picture);
/// Whether it is being painted.
bool isPaintingMask(const AttentionPicture& picture);
/// The switch of it; empty where it cannot be painted.
std::vector<Choice> paintChoice(const AttentionPicture& picture);
/// Strokes and clicks on a grid of queries and keys paint.
void makePaintable(const AttentionPicture& picture, HitRegion& grid);
/// Marks what is painted otherwise than the rule says, in a matrix of this window.
void addPaintedMarks(AttentionPicture& picture, const Box& box, const PlaneWindow& window);
/// What a mask can begin with, and which tokens see nothing. Takes what it needs off the top of the area.
void addPaintingRow(AttentionPicture& picture, Box& area);

}  // namespace glassformer
