#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glassformer {

float Schedule::rate(int step) const {
  const double s = step, rise = warmup > 0 ? std::min(1.0, s / warmup) : 1.0;
  switch (kind) {
    case ScheduleKind::Constant:
      return static_cast<float>(peak * rise);
    case ScheduleKind::Transformer2017:
      return static_cast<float>(peak * std::pow(width, -0.5) *
                                std::min(std::pow(s, -0.5), s * std::pow(std::max(warmup, 1), -1.5)));
    case ScheduleKind::Cosine:
      break;
  }
  if (step < warmup) return static_cast<float>(peak * rise);
  const double progress = std::clamp((s - warmup) / std::max(1, steps - warmup), 0.0, 1.0);
  return static_cast<float>(peak * (floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * progress))));
}

}  // namespace glassformer
