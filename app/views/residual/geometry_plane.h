#pragma once
#include "app/views/residual/closeup.h"
#include "app/views/residual/geometry_room.h"

namespace glassformer {

/// The plane of the first two components. The wheel brings it closer, dragging moves it.
class GeometryPlane : public GeometryRoom {
 public:
  GeometryPlane(ResidualPicture& picture, const GeometryFrame& frame);

  void addAxes() override;
  std::optional<SeenPlace> placeOf(const std::array<float, 3>& z) const override;
  float addMark(const VectorMark& mark, const SeenPlace& place) override;
  HitRegion hit() const override;

 private:
  Dot dotOf(const VectorMark& mark) const;
  Range seen(Range whole, float middle) const;
  void addAxisName(int component, const std::string& name, Point at);

  ResidualPicture& picture_;
  Scene& scene_;
  const Theme& theme_;
  GeometryFrame frame_;
  Closeup closeup_;
  Range across_, up_;
};

}  // namespace glassformer
