#pragma once
#include "core/decode/candidates.h"

namespace glassformer {

/// logit / temperature: below 1 sharper, above 1 flatter. 1 changes nothing.
void applyTemperature(Candidates& candidates, float temperature);

}  // namespace glassformer
