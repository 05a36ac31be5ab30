#pragma once
#include <array>
#include <optional>

#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// What a room of the geometry is drawn from: the numbers along the components, and where to.
struct GeometryFrame {
  Box box;
  std::array<Range, 3> ranges;      ///< of all vectors, along each component
  std::array<TensorRef, 3> shares;  ///< of the variance
};

/// Where a vector is seen.
struct SeenPlace {
  Point at;
  float nearness = 1;  ///< from 0, as far behind as anything can be, to 1
};
/// How it is marked there.
struct VectorMark {
  TensorRef row;  ///< its coordinates, all of them
  float radius = 4;
  Rgba color;
  bool square = false, stands = false;  ///< out, wherever it lies
};

/// Where the tokens' vectors lie along their first components: in a plane of two, or in a space of three. A
/// unit is as long in all directions, so that distances are true as far as the components hold them.
class GeometryRoom {
 public:
  virtual ~GeometryRoom() = default;

  /// The axes, with their numbers and names.
  virtual void addAxes() = 0;
  /// Whether nothing of the axes is written there.
  virtual bool isFree(const Box&) const { return true; }
  /// Below the marks: what tells where one stands in a space.
  virtual void addFootOf(const std::array<float, 3>&) {}
  /// Nothing for what lies outside of what is seen.
  virtual std::optional<SeenPlace> placeOf(const std::array<float, 3>& z) const = 0;
  /// Returns the radius that it has there.
  virtual float addMark(const VectorMark& mark, const SeenPlace& place) = 0;
  /// How it is moved, turned and brought closer.
  virtual HitRegion hit() const = 0;
};

}  // namespace glassformer
