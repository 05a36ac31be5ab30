#pragma once
#include "core/decode/sampling_stage.h"

namespace glassformer {

void keepTopK(Candidates& candidates, float k);
std::string outsideTopK(const RankedCandidate& candidate, float number);

/// The k most probable candidates (Fan, Lewis & Dauphin 2018).
inline constexpr SamplingStage topKStage{
    .id = "top-k",
    .name = "Top-k",
    .meaning = "only the k most probable tokens stay, p = 0 for all others; 0 keeps all",
    .words = "",
    .number = SamplingStage::Number::Count,
    .off = 0,
    .usual = 5,
    .low = 0,
    .high = 100,
    .step = 1,
    .decimals = 0,
    .atHand = true,
    .apply = keepTopK,
    .reason = outsideTopK};

}  // namespace glassformer
