#pragma once
#include <algorithm>
#include <cmath>

namespace glassformer {

/// How a surface is looked at, in degrees: turned around the upright axis; seen from how far above.
struct SurfaceAngle {
  float yaw = 30, pitch = 40;
  static constexpr float leastPitch = 10, mostPitch = 80;

  /// Turned by so many degrees; around as often as wanted, but never below the floor.
  SurfaceAngle turned(float byYaw, float byPitch) const {
    return {std::remainder(yaw + byYaw, 360.0f), std::clamp(pitch + byPitch, leastPitch, mostPitch)};
  }
  bool operator==(const SurfaceAngle&) const = default;
};

}  // namespace glassformer
