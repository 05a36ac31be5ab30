#include "core/decode/temperature.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glassformer {

// Of logits that would leave float32 the largest becomes 0 first, which changes no probability.
void applyTemperature(Candidates& candidates, float temperature) {
  float most = -std::numeric_limits<float>::infinity(), least = -most;
  for (const Candidate& c : candidates) most = std::max(most, c.logit), least = std::min(least, c.logit);
  const bool fits = std::isfinite(most / temperature) && std::isfinite(least / temperature);
  for (Candidate& c : candidates) {
    const bool isMost = !fits && c.logit == most;  // 0 / τ, whatever is left of a τ this small
    c.logit = isMost ? 0 : (fits ? c.logit : c.logit - most) / temperature;
  }
  renormalize(candidates);
}

}  // namespace glassformer
