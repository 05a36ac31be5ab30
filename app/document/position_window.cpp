#include "app/document/position_window.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

namespace {

constexpr float perNotch = 1.25f;

int rounded(float value) { return static_cast<int>(std::lround(value)); }

}  // namespace

PositionWindow clamped(const PositionWindow& window, int total) {
  if (window.count <= 0 || window.count >= total) return {0, 0, total};
  const int count = std::max(window.count, std::min(fewestPositions, total));
  const auto inside = [&](int first) { return std::clamp(first, 0, total - count); };
  return {inside(window.firstQuery), inside(window.firstKey), count};
}

PositionWindow zoomed(const PositionWindow& window, int total, float notches, float atQuery, float atKey) {
  const PositionWindow now = clamped(window, total);
  int count = rounded(static_cast<float>(now.count) * std::pow(perNotch, -notches));
  if (count == now.count) count += notches > 0 ? -1 : notches < 0 ? 1 : 0;
  if (count >= total) return {};
  count = std::max(count, std::min(fewestPositions, total));
  const auto kept = [&](int first, float at) {
    return first + rounded(at * static_cast<float>(now.count) - at * static_cast<float>(count));
  };
  return clamped({kept(now.firstQuery, atQuery), kept(now.firstKey, atKey), count}, total);
}

PositionWindow panned(const PositionWindow& window, int total, float byQueries, float byKeys) {
  PositionWindow now = clamped(window, total);
  if (now.count >= total) return window;
  now.firstQuery += rounded(byQueries * static_cast<float>(now.count));
  now.firstKey += rounded(byKeys * static_cast<float>(now.count));
  return clamped(now, total);
}

}  // namespace glassformer
