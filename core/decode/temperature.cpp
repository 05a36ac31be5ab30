#include "core/decode/temperature.h"

namespace glassformer {

void applyTemperature(Candidates& candidates, float temperature) {
  for (Candidate& c : candidates) c.logit /= temperature;
  renormalize(candidates);
}

}  // namespace glassformer
