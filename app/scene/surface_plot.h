#pragma once
#include <optional>

#include "app/scene/scene.h"
#include "app/scene/theme.h"

namespace glassformer {

/// Where things stand in a SurfacePlot's box. Across the columns u
/// goes from −1 to 1, up against the rows v does, and a height of 1 is the top of the range. It is as large
/// as the box allows whichever way it is turned, so that turning does not make it grow.
class SurfaceProjection {
 public:
  explicit SurfaceProjection(const SurfacePlot& surface);

  Point at(float u, float v, float height) const;
  /// How far away from us a place of the floor is.
  float depth(float u, float v) const { return u * sine_ + v * cosine_; }

  /// The floor lies this far below the lowest value.
  static constexpr float floor = -0.3f;

 private:
  Point middle_;
  float scale_, sine_, cosine_, up_, back_;
};

/// A quarter of the patch around a point, which reaches halfway to the points next to it: corners[0] is the
/// point itself.
struct SurfaceFacet {
  static constexpr float meshWidth = 0.75f;

  int row = 0, column = 0;  ///< of the point, whose colour it has
  std::array<Point, 4> corners;

  /// The two halves of lines from point to point that bound it.
  std::array<Point, 3> mesh() const { return {corners[1], corners[0], corners[3]}; }
  bool contains(Point p) const;
};

/// Every facet between four known values, from far to near: each is drawn over what it hides.
std::vector<SurfaceFacet> facetsOf(const SurfacePlot& surface, const TensorView& values);
/// The colour of a value; what is no number or infinite has the theme's own.
Rgba facetColor(const SurfacePlot& surface, float value, const Theme& theme);

/// How high a value stands, from 0 to 1; what is no number or infinite at the top.
float surfaceHeight(const SurfacePlot& surface, float value);
/// Where the point of a cell stands.
Point surfacePoint(const SurfacePlot& surface, const TensorView& values, int row, int column);
/// The row and column of the patch that is seen at a place; next to the surface, of the nearest one. The
/// middle cell where there is nothing.
std::array<int, 2> cellSeenAt(const SurfacePlot& surface, const TensorView& values, Point at);

}  // namespace glassformer
