#pragma once
#include <string_view>

#include "core/trace/interventions.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Whether an intervention means the same in every text: it acts neither at one token's place alone nor with
/// numbers that were taken from one text. `letters` are those of its point (see TracePoint).
bool isOfEveryText(const Intervention& intervention, std::string_view letters);
/// Those of them that do; `trace` has their points.
Interventions ofEveryText(const Interventions& interventions, const TensorSet& trace);

}  // namespace glassformer
