#include "app/views/residual/closeup.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/document/view_commands.h"

namespace glassformer {

namespace {

constexpr float closest = 64;

Closeup clampedCloseup(Closeup part) {
  part.zoom = std::clamp(part.zoom, 1.0f, closest);
  const float half = 0.5f / part.zoom;
  part.x = std::clamp(part.x, half, 1 - half), part.y = std::clamp(part.y, half, 1 - half);
  return part;
}

}  // namespace

Closeup closeupOf(const ViewSettings& settings) {
  Closeup part;
  std::istringstream stored{std::string(settings.chosen(closeupChoice))};
  if (Closeup read; stored >> read.zoom >> read.x >> read.y) part = read;
  return clampedCloseup(part);
}

Command setCloseup(const Closeup& part) {
  const Closeup kept = clampedCloseup(part);
  std::ostringstream words;
  words << kept.zoom << ' ' << kept.x << ' ' << kept.y;
  return commands::choose(closeupChoice, kept.isWhole() ? "" : words.str());
}

Closeup closer(Closeup part, float notches, Point at) {
  const float before = part.zoom;
  part.zoom = std::clamp(before * std::pow(1.25f, notches), 1.0f, closest);
  const float gone = 1 / before - 1 / part.zoom;
  part.x += (at.x - 0.5f) * gone, part.y += (0.5f - at.y) * gone;
  return part;
}

}  // namespace glassformer
