#pragma once
#include <array>
#include <cstdint>

namespace glassformer {

/// Settings of the loss landscape.
struct LandscapeSettings {
  bool logarithmic = false;    ///< heights and colours
  float yaw = 30, pitch = 40;  ///< degrees: turned around the upright axis; seen from how far above
  static constexpr float leastPitch = 10, mostPitch = 80;

  // What is measured.
  int side = 25;           ///< points along each direction, odd
  float radius = 1;        ///< how far along each, in lengths of the filters
  std::uint64_t seed = 1;  ///< of the two directions

  bool operator==(const LandscapeSettings&) const = default;
};

/// What can be chosen.
inline constexpr std::array landscapeSides{13, 25, 51};
inline constexpr std::array landscapeRadii{0.5f, 1.0f, 2.0f};

/// Turned by so many degrees; around as often as wanted, but never below the floor.
LandscapeSettings turned(LandscapeSettings settings, float yaw, float pitch);

}  // namespace glassformer
