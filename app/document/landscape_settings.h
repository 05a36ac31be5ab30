#pragma once
#include <array>
#include <cstdint>

#include "app/document/surface_angle.h"

namespace glassformer {

/// Settings of the loss landscape.
struct LandscapeSettings {
  bool logarithmic = false;  ///< heights and colours
  SurfaceAngle angle = {};

  // What is measured.
  int side = 25;           ///< points along each direction, odd
  float radius = 1;        ///< how far along each, in lengths of the filters
  std::uint64_t seed = 1;  ///< of the two directions

  bool operator==(const LandscapeSettings&) const = default;
};

/// What can be chosen.
inline constexpr std::array landscapeSides{13, 25, 51};
inline constexpr std::array landscapeRadii{0.5f, 1.0f, 2.0f};

}  // namespace glassformer
