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

PlaneWindow shownWindow(const PositionWindow& window, int queries, int keys) {
  const int total = std::max(queries, keys), count = clamped(window, total).count;
  const auto shareOf = [&](int all) {
    return total == 0 ? 0 : std::max(std::min(fewestPositions, all), (all * count + total - 1) / total);
  };
  const auto inside = [&](int first, int all) { return std::clamp(first, 0, all - shareOf(all)); };
  if (count >= total) return {0, 0, queries, keys};
  return {inside(window.firstQuery, queries), inside(window.firstKey, keys), shareOf(queries), shareOf(keys)};
}

PositionWindow zoomed(const PositionWindow& window, int total, float notches, float atQuery, float atKey) {
  return zoomed(window, total, total, notches, atQuery, atKey);
}

PositionWindow panned(const PositionWindow& window, int total, float byQueries, float byKeys) {
  return panned(window, total, total, byQueries, byKeys);
}

PositionWindow zoomed(const PositionWindow& window, int queries, int keys, float notches, float atQuery,
                      float atKey) {
  const int total = std::max(queries, keys), before = clamped(window, total).count;
  int count = rounded(static_cast<float>(before) * std::pow(perNotch, -notches));
  if (count == before) count += notches > 0 ? -1 : notches < 0 ? 1 : 0;
  if (count >= total) return {};
  count = std::max(count, std::min(fewestPositions, total));
  const PlaneWindow now = shownWindow(window, queries, keys),
                    next = shownWindow({0, 0, count}, queries, keys);
  const auto kept = [](int first, float at, int shown, int then) {
    return first + rounded(at * static_cast<float>(shown) - at * static_cast<float>(then));
  };
  const PlaneWindow shown = shownWindow({kept(now.firstQuery, atQuery, now.queries, next.queries),
                                         kept(now.firstKey, atKey, now.keys, next.keys), count},
                                        queries, keys);
  return {shown.firstQuery, shown.firstKey, count};
}

PositionWindow panned(const PositionWindow& window, int queries, int keys, float byQueries, float byKeys) {
  const PlaneWindow now = shownWindow(window, queries, keys);
  const int total = std::max(queries, keys), count = clamped(window, total).count;
  if (count >= total) return window;
  const PlaneWindow shown =
      shownWindow({now.firstQuery + rounded(byQueries * static_cast<float>(now.queries)),
                   now.firstKey + rounded(byKeys * static_cast<float>(now.keys)), count},
                  queries, keys);
  return {shown.firstQuery, shown.firstKey, count};
}

}  // namespace glassformer
