#pragma once
#include <functional>
#include <vector>

#include "app/document/surface_angle.h"
#include "app/drawing/outside_texts.h"
#include "app/drawing/parts.h"
#include "app/scene/surface_plot.h"

namespace glassformer {

/// The room that a surface stands in: its floor and the edges behind it, what is written around it, marks on
/// it, and how it is turned. Draws into a scene, in the order in which it is asked to.
class SurfaceRoom {
 public:
  /// `surface.values` must be there.
  SurfaceRoom(Scene& scene, const SceneInput& input, const SurfacePlot& surface);

  const SurfacePlot& surface() const { return surface_; }
  const TensorView& values() const { return values_; }
  /// Where something stands, see SurfaceProjection.
  Point at(float u, float v, float height) const { return projection_.at(u, v, height); }
  /// A place of the grid on the floor: x counts columns, y rows.
  Point onFloor(Point cell) const;

  /// The floor, and the edges of the room behind it.
  void addEdges();
  /// Lines of equal height on the floor, in the surface's colours.
  void addContours(int steps);
  void addLine(Point a, Point b, Rgba color, float width = 1);
  void addDot(Point at, float radius);
  /// A needle in the surface, with words at its head: the walls around may hide the place itself.
  void addNeedle(Point foot, Point head, const std::string& words);
  /// Along the two edges of the floor that are nearest: the first and last number of each axis, and between
  /// them its name. What would lie on another text is left out.
  struct FloorAxis {
    Text low, high, name;
  };
  void addAxes(const FloorAxis& columns, const FloorAxis& rows);
  /// The surface under the pointer: the cell that is seen there, and turning by dragging, by the arrow keys
  /// and, back again, by a double click.
  HitRegion hit(SurfaceAngle now, const std::function<Command(SurfaceAngle)>& turn) const;

  static constexpr float floor = SurfaceProjection::floor;

 private:
  Point outwards(Point edge) const;

  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  SurfacePlot surface_;
  SurfaceProjection projection_;
  TensorView values_;
  float frontU_, frontV_;  // which sides of the floor are nearest
  OutsideTexts texts_;
};

}  // namespace glassformer
