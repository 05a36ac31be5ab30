#include "app/views/residual/geometry_room.h"

#include <cmath>

namespace glassformer {

namespace {

// The next of 1, 2, 5, 10, ... times a power of ten.
float niceStep(float least) {
  const float power = std::pow(10.0f, std::floor(std::log10(least)));
  for (const float step : {1.0f, 2.0f, 5.0f})
    if (step * power >= least) return step * power;
  return 10 * power;
}

}  // namespace

std::vector<Tick> ticksAlong(const Range& range, float pixels, float apart) {
  constexpr float corner = 20;
  std::vector<Tick> ticks;
  if (!(range.high > range.low) || pixels < 2 * corner) return ticks;
  const float step = niceStep(apart * (range.high - range.low) / pixels);
  const int first = static_cast<int>(std::ceil(range.low / step)),
            last = static_cast<int>(std::floor(range.high / step));
  for (int i = first; i <= last; ++i) {
    const float value = static_cast<float>(i) * step, along = range.fraction(value) * pixels;
    if (along > corner && along < pixels - corner) ticks.push_back({value, along});
  }
  return ticks;
}

Rgba gridColor(const Theme& theme, float value) {
  return value == 0 ? theme.quiet.faded(0.4f) : theme.line.faded(0.6f);
}

}  // namespace glassformer
