#pragma once
#include "core/decode/beam_search.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// Adds, one number per node: beam.probability of its token after its prefix, beam.log_probability ln p,
/// beam.cumulative = that of its parent + ln p, and beam.score = cumulative / n^α. Each says so; of the first
/// `acrossPrefixes` does, which runs what the model has read before a node.
void measureBeam(const BeamTree& tree, TensorSet& measurements, TensorSet::AcrossOf acrossPrefixes = nullptr);

}  // namespace glassformer
