#include "core/model/pass_limit.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/tensor/available_memory.h"

namespace glassformer {
namespace {

std::atomic<double>& limit() {
  static std::atomic<double> bytes{usualPassLimit()};
  return bytes;
}

}  // namespace

double passLimit() { return limit(); }
void setPassLimit(double bytes) { limit() = bytes; }

double usualPassLimit() {
  constexpr double step = 1e8, unknown = 2e9;
  static const double spare = availableMemory();
  return std::isfinite(spare) ? std::max(step, std::floor(spare / 4 / step) * step) : unknown;
}

}  // namespace glassformer
