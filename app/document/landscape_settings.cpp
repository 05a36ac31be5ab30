#include "app/document/landscape_settings.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

LandscapeSettings turned(LandscapeSettings settings, float yaw, float pitch) {
  settings.yaw = std::remainder(settings.yaw + yaw, 360.0f);
  settings.pitch =
      std::clamp(settings.pitch + pitch, LandscapeSettings::leastPitch, LandscapeSettings::mostPitch);
  return settings;
}

}  // namespace glassformer
