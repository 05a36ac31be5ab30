#include "app/scene/contours.h"

#include <array>
#include <cmath>

namespace glassformer {

namespace {

// Where a level lies on an edge; the corners are on either side of it.
Point crossing(Point a, float valueA, Point b, float valueB, float level) {
  const float t = (level - valueA) / (valueB - valueA);
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

void addCell(const TensorView& values, int row, int column, float level, std::vector<ContourPiece>& pieces) {
  constexpr std::array<std::array<int, 2>, 4> around{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}};  // row, column
  std::array<Point, 4> corners;
  std::array<float, 4> v;
  for (std::size_t i = 0; i < 4; ++i) {
    const int y = row + around[i][0], x = column + around[i][1];
    corners[i] = {static_cast<float>(x), static_cast<float>(y)};
    v[i] = values(y, x);
    if (!std::isfinite(v[i])) return;
  }
  std::array<Point, 4> found;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t next = (i + 1) % 4;
    if ((v[i] < level) != (v[next] < level))
      found[count++] = crossing(corners[i], v[i], corners[next], v[next], level);
  }
  // Four crossings are a saddle: its middle says which of them belong together.
  const bool turned = count == 4 && ((v[0] + v[1] + v[2] + v[3]) / 4 < level) != (v[0] < level);
  for (std::size_t i = 0; i + 1 < count; i += 2)
    pieces.push_back(turned ? ContourPiece{found[i + 1], found[(i + 2) % 4]}
                            : ContourPiece{found[i], found[i + 1]});
}

}  // namespace

std::vector<ContourPiece> contour(const TensorView& values, float level) {
  std::vector<ContourPiece> pieces;
  for (int row = 0; row + 1 < values.extent[0]; ++row)
    for (int column = 0; column + 1 < values.extent[1]; ++column) addCell(values, row, column, level, pieces);
  return pieces;
}

std::vector<float> levelsOf(Range range, int pieces) {
  std::vector<float> levels;
  for (int i = 1; i < pieces; ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(pieces);
    levels.push_back(range.logarithmic ? range.low * std::pow(range.high / range.low, share)
                                       : range.low + share * (range.high - range.low));
  }
  return levels;
}

}  // namespace glassformer
