#pragma once
#include <string>

#include "core/trace/trace.h"

namespace glassformer {

/// "lens.mean.blocks.0.ln1": μ [T, 1] of what a norm reads, by the trace point of what it makes. Adds nothing
/// for a norm that takes no mean.
std::string meanTensor(const std::string& normalized);
void measureNormMean(const Trace& trace, const std::string& normalized, TensorSet& set);

}  // namespace glassformer
