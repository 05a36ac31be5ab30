#pragma once
#include "core/decode/beam_search.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Adds, one number per node: beam.probability of its token after its prefix, beam.log_probability ln p,
/// beam.cumulative = that of its parent + ln p, and beam.score = cumulative / n^α. Each but the first says
/// so.
void measureBeam(const BeamTree& tree, TensorSet& measurements);

}  // namespace glassformer
