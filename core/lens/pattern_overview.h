#pragma once
#include "core/model/config.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The most positions at which a small picture of a pattern still shows each one.
inline constexpr int overviewSize = 96;

/// For texts longer than that: lens.pattern_overview [L, H, G, G], the largest share of attention in each
/// square of g = ⌈T / overviewSize⌉ queries and keys; so that no strong share is lost where a pattern is
/// drawn smaller than it is. L counts the first blocks whose pattern is there: all, but of a trace
/// from elsewhere. Adds nothing for shorter texts, or where nothing attends.
void measurePatternOverview(const Trace& trace, const ModelConfig& config, TensorSet& measurements);

}  // namespace glassformer
