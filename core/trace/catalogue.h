#pragma once
#include <string_view>
#include <vector>

#include "core/trace/tensor_set.h"

namespace glassformer {

/// What a trace point means: letters, one line and equation for the part of its name behind "blocks.i.". The
/// names are TransformerLens's, unchanged, so that an exported trace opens in the tools people already use.
TracePoint describeTracePoint(std::string_view name);

/// Every trace point of a decoder-only model with that many layers, in the order in which they are computed.
std::vector<TracePoint> tracePoints(int layers);

}  // namespace glassformer
