#pragma once
#include "core/decode/candidates.h"

namespace glassformer {

/// Nucleus: keeps the fewest candidates whose probabilities reach p together (Holtzman et al. 2020). Always
/// at least one.
void keepTopP(Candidates& candidates, float p);

}  // namespace glassformer
