#include "app/scene/surface_plot.h"

#include <cmath>
#include <numbers>

namespace glassformer {

namespace {

constexpr float tall = 0.9f;  // a height of 1, where half an edge of the floor is 1

float radians(float degrees) { return degrees * std::numbers::pi_v<float> / 180; }

// −1 to 1 for places 0 to count − 1.
float along(float place, int count) { return count > 1 ? 2 * place / static_cast<float>(count - 1) - 1 : 0; }

bool isKnown(float value) { return !(std::isinf(value) && value < 0); }

// The facets of a surface one after the other; values stand at even places of a grid twice as fine.
class Mesh {
 public:
  Mesh(const SurfacePlot& surface, const TensorView& values)
      : surface_(surface),
        values_(values),
        projection_(surface),
        rows_(values.extent[0]),
        columns_(values.extent[1]) {}

  // In parallel projection no facet hides one that lies further back in either direction.
  std::vector<SurfaceFacet> farToNear() const {
    std::vector<SurfaceFacet> facets;
    const int down = 2 * (rows_ - 1), across = 2 * (columns_ - 1);
    const bool leftIsFar = projection_.depth(-1, 0) > 0, topIsFar = projection_.depth(0, 1) > 0;
    for (int i = 0; i < down; ++i)
      for (int j = 0; j < across; ++j) {
        const int row = topIsFar ? i : down - 1 - i, column = leftIsFar ? j : across - 1 - j;
        if (isWhole(row / 2, column / 2)) facets.push_back(facet(row, column));
      }
    return facets;
  }

 private:
  bool isWhole(int row, int column) const {
    return isKnown(values_(row, column)) && isKnown(values_(row, column + 1)) &&
           isKnown(values_(row + 1, column)) && isKnown(values_(row + 1, column + 1));
  }

  // The square of the fine grid whose upper left corner is (row, column).
  SurfaceFacet facet(int row, int column) const {
    const int pointRow = row + row % 2, pointColumn = column + column % 2;
    const int otherRow = 2 * row + 1 - pointRow, otherColumn = 2 * column + 1 - pointColumn;
    return {pointRow / 2,
            pointColumn / 2,
            {vertex(pointRow, pointColumn), vertex(pointRow, otherColumn), vertex(otherRow, otherColumn),
             vertex(otherRow, pointColumn)}};
  }

  Point vertex(int row, int column) const {
    const auto height = [&](int r, int c) { return surfaceHeight(surface_, values_(r, c)); };
    const int top = row / 2, bottom = (row + 1) / 2, left = column / 2, right = (column + 1) / 2;
    const float mean =
        (height(top, left) + height(top, right) + height(bottom, left) + height(bottom, right)) / 4;
    return projection_.at(along(static_cast<float>(column) / 2, columns_),
                          -along(static_cast<float>(row) / 2, rows_), mean);
  }

  const SurfacePlot& surface_;
  const TensorView& values_;
  SurfaceProjection projection_;
  int rows_, columns_;
};

}  // namespace

SurfaceProjection::SurfaceProjection(const SurfacePlot& surface)
    : sine_(std::sin(radians(surface.yaw))),
      cosine_(std::cos(radians(surface.yaw))),
      up_(tall * std::cos(radians(surface.pitch))),
      back_(std::sin(radians(surface.pitch))) {
  const float diagonal = 2 * std::numbers::sqrt2_v<float>;
  const float high = up_ * (1 - floor) + diagonal * back_;
  scale_ = std::min(surface.box.width / diagonal, surface.box.height / high);
  const Point center = surface.box.center();
  middle_ = {center.x, center.y + scale_ * up_ * (1 + floor) / 2};
}

Point SurfaceProjection::at(float u, float v, float height) const {
  return {middle_.x + scale_ * (u * cosine_ - v * sine_),
          middle_.y - scale_ * (height * up_ + depth(u, v) * back_)};
}

bool SurfaceFacet::contains(Point p) const {
  bool inside = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Point a = corners[i], b = corners[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

std::vector<SurfaceFacet> facetsOf(const SurfacePlot& surface, const TensorView& values) {
  return Mesh(surface, values).farToNear();
}

Rgba facetColor(const SurfacePlot& surface, float value, const Theme& theme) {
  return std::isfinite(value) ? colorAt(surface.map, surface.range.fraction(value), theme.dark)
                              : theme.broken;
}

float surfaceHeight(const SurfacePlot& surface, float value) {
  return std::isfinite(value) ? std::clamp(surface.range.fraction(value), 0.0f, 1.0f) : 1;
}

Point surfacePoint(const SurfacePlot& surface, const TensorView& values, int row, int column) {
  return SurfaceProjection(surface).at(along(static_cast<float>(column), values.extent[1]),
                                       -along(static_cast<float>(row), values.extent[0]),
                                       surfaceHeight(surface, values(row, column)));
}

std::array<int, 2> cellSeenAt(const SurfacePlot& surface, const TensorView& values, Point at) {
  std::array<int, 2> nearest{values.extent[0] / 2, values.extent[1] / 2};
  float least = std::numeric_limits<float>::max();
  const std::vector<SurfaceFacet> facets = facetsOf(surface, values);
  for (auto facet = facets.rbegin(); facet != facets.rend(); ++facet) {
    const float distance =
        facet->contains(at) ? -1 : std::hypot(facet->corners[0].x - at.x, facet->corners[0].y - at.y);
    if (distance < least) least = distance, nearest = {facet->row, facet->column};
    if (distance < 0) break;
  }
  return nearest;
}

}  // namespace glassformer
