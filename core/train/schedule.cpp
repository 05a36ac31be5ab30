#include "core/train/schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

#include "core/shortest_text.h"

namespace glassformer {
namespace {

constexpr std::array kinds{ScheduleKind::Constant, ScheduleKind::Cosine, ScheduleKind::InverseSqrt};

}  // namespace

std::pair<Schedule, int> Schedule::stretchAt(int step) const {
  Schedule stretch = *this;
  stretch.later.clear();
  if (later.empty() || kind != ScheduleKind::Cosine) return {stretch, step};
  const int restart = later.front().behind;
  if (step <= restart) {
    stretch.steps = std::min(steps, restart);
    return {stretch, step};
  }
  stretch.steps = steps - restart;
  for (const Peak& next : later)
    if (step > next.behind) stretch.peak = next.peak;
  return {stretch, step - restart};
}

float Schedule::rate(int step) const {
  if (!later.empty()) {
    const auto [stretch, within] = stretchAt(step);
    return stretch.rate(within);
  }
  return static_cast<float>(height() * shape(step));
}

double Schedule::height() const {
  return kind == ScheduleKind::InverseSqrt ? peak * std::pow(width, -0.5) : peak;
}

double Schedule::shape(int step) const {
  const double s = step;
  if (kind == ScheduleKind::InverseSqrt)
    return std::min(std::pow(s, -0.5), s * std::pow(std::max(warmup, 1), -1.5));
  if (step < warmup) return s / warmup;
  if (kind == ScheduleKind::Constant) return 1;
  return floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * wayDown(step)));
}

double Schedule::wayDown(int step) const {
  return std::clamp(static_cast<double>(step - warmup) / std::max(1, steps - warmup), 0.0, 1.0);
}

Schedule Schedule::as(ScheduleKind other) const {
  Schedule changed = *this;
  changed.kind = other;
  const int top = std::max(1, warmup);
  if (const float after = changed.rate(top); after > 0) changed.peak *= rate(top) / after;
  return changed;
}

const char* nameOf(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::Constant:
      return "constant";
    case ScheduleKind::Cosine:
      return "cosine";
    case ScheduleKind::InverseSqrt:
      return "transformer2017";
  }
  return "";
}

std::string Schedule::description() const {
  std::string text = std::string(nameOf(kind)) + " " + shortestText(peak) + " " + std::to_string(warmup) +
                     " " + std::to_string(steps) + " " + shortestText(floor) + " " + std::to_string(width);
  for (const Peak& next : later) text += " " + std::to_string(next.behind) + " " + shortestText(next.peak);
  return text;
}

std::optional<Schedule> Schedule::parse(std::string_view description) {
  std::istringstream words{std::string(description)};
  std::string name;
  Schedule schedule;
  words >> name >> schedule.peak >> schedule.warmup >> schedule.steps >> schedule.floor >> schedule.width;
  const auto kind = std::ranges::find_if(kinds, [&](ScheduleKind each) { return nameOf(each) == name; });
  if (!words || kind == kinds.end()) return std::nullopt;
  while (!(words >> std::ws).eof()) {
    Peak next{};
    if (!(words >> next.behind >> next.peak)) return std::nullopt;
    schedule.later.push_back(next);
  }
  schedule.kind = *kind;
  return schedule;
}

}  // namespace glassformer
