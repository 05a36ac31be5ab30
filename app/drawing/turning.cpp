#include "app/drawing/turning.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "app/document/view_commands.h"

namespace glassformer {

SurfaceAngle Turning::of(const ViewSettings& settings) const {
  SurfaceAngle angle;
  const std::string words(settings.chosen(choice));
  const bool isAngle = std::sscanf(words.c_str(), "%f %f", &angle.yaw, &angle.pitch) == 2 &&
                       std::isfinite(angle.yaw) && std::isfinite(angle.pitch);
  return isAngle ? angle.turned(0, 0) : usual;
}

Command Turning::turn(SurfaceAngle angle) const {
  const std::string words = std::to_string(angle.yaw) + " " + std::to_string(angle.pitch);
  return commands::choose(choice, angle == usual ? "" : words);
}

void letTurn(HitRegion& hit, SurfaceAngle now, const std::function<Command(SurfaceAngle)>& turn,
             SurfaceAngle usual) {
  hit.pan = [=](Point by) { return turn(now.turned(180 * by.x, 90 * by.y)); };
  hit.arrows = [=](int right, int down) {
    return turn(now.turned(10.0f * static_cast<float>(right), 5.0f * static_cast<float>(down)));
  };
  hit.reset = [=] { return turn(usual); };
}

}  // namespace glassformer
