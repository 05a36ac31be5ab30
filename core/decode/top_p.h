#pragma once
#include "core/decode/sampling_stage.h"

namespace glassformer {

/// Always keeps at least one.
void keepTopP(Candidates& candidates, float p);
std::string outsideTopP(const RankedCandidate& candidate, float number);

/// The nucleus (Holtzman et al. 2020).
inline constexpr SamplingStage topPStage{
    .id = "top-p",
    .name = "Top-p",
    .meaning = "only the fewest tokens whose probabilities reach p in sum; 1 keeps all",
    .words = "nucleus",
    .number = SamplingStage::Number::Share,
    .off = 1,
    .usual = 0.9f,
    .low = 0.05f,
    .high = 1,
    .step = 0.05f,
    .decimals = 2,
    .atHand = true,
    .apply = keepTopP,
    .reason = outsideTopP};

}  // namespace glassformer
