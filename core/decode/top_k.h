#pragma once
#include "core/decode/candidates.h"

namespace glassformer {

/// Keeps the k most probable candidates (Fan, Lewis & Dauphin 2018).
void keepTopK(Candidates& candidates, int k);

}  // namespace glassformer
