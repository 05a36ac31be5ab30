#pragma once
#include "app/drawing/outside_texts.h"
#include "app/drawing/turning.h"
#include "app/views/residual/closeup.h"
#include "app/views/residual/geometry_room.h"

namespace glassformer {

/// How the space of three components is turned.
inline constexpr Turning spaceTurning{"residual.geometry_angle", {30, 20}};

/// Turned as at first, and all of it.
Command seenAsUsual();

/// The space of the first three components: a box around all vectors, whose floor lies below the second
/// component. Dragging and the arrow keys turn it, the wheel brings it closer. What is further away is
/// smaller and fainter, and a thin line drops from each vector to the floor.
class GeometrySpace : public GeometryRoom {
 public:
  GeometrySpace(ResidualPicture& picture, const GeometryFrame& frame);

  void addAxes() override;
  bool isFree(const Box& box) const override { return texts_.isFree(box); }
  void addFootOf(const std::array<float, 3>& z) override;
  std::optional<SeenPlace> placeOf(const std::array<float, 3>& z) const override;
  float addMark(const VectorMark& mark, const SeenPlace& place) override;
  HitRegion hit() const override;

 private:
  using Signs =
      std::array<float, 3>;  // of a place of the box: −1 its lower end, 0 its middle, 1 its upper end

  void bringCloser();
  std::array<float, 3> inBox(const Signs& signs) const;
  Point corner(const Signs& signs) const { return space_.at(inBox(signs)); }
  float length(int component) const;
  void addLine(Point a, Point b, Rgba color);
  void addEdges();
  void addGrid(int along, int across);
  void addFloorAxis(int component, const Signs& middle);
  void addUprightAxis();
  void addTicks(int component, Signs edge, Point out);
  bool addName(int component, const char* name, Point edge, Point out, bool upright);
  bool addOutside(Point edge, Point out, Text text, float gap);

  ResidualPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  GeometryFrame frame_;
  Closeup closeup_;
  SurfaceAngle angle_;
  Space space_;
  std::array<float, 3> half_{};    // of the box, from its middle
  float nearest_ = 1;              // of its corners
  float frontFirst_, frontThird_;  // which sides of the floor are nearest
  OutsideTexts texts_;
};

}  // namespace glassformer
