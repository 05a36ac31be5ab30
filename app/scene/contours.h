#pragma once
#include <vector>

#include "app/scene/geometry.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// Lines of equal value through the points of a grid, between which values change evenly (marching squares:
/// Lorensen & Cline 1987 in two dimensions). Each is a piece inside one cell; x counts columns, y rows.
struct ContourPiece {
  Point from, to;
};
std::vector<ContourPiece> contour(const TensorView& values, float level);

/// Values that part a range into equal pieces on its scale, without its ends.
std::vector<float> levelsOf(Range range, int pieces);

}  // namespace glassformer
