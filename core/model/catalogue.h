#pragma once
#include <string>
#include <string_view>

#include "core/model/config.h"
#include "core/model/point_names.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// What a trace point of such a model means: letters, one line and equation. The names are TransformerLens's,
/// unchanged, so that an exported trace opens in the tools people already use.
TracePoint describeTracePoint(std::string_view name, const ModelConfig& config);

/// What a head's scores are before the mask, as this config computes them: "q · kᵀ / √K" in the plainest one.
std::string scoresEquation(const ModelConfig& config, AttentionSite site);

}  // namespace glassformer
