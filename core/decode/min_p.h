#pragma once
#include "core/decode/sampling_stage.h"

namespace glassformer {

/// Always keeps the most probable.
void keepMinP(Candidates& candidates, float p);
std::string belowMinP(const RankedCandidate& candidate, float number);

/// A threshold that follows how sure the model is (Nguyen et al. 2024, "Turning Up the Heat").
inline constexpr SamplingStage minPStage{
    .id = "min-p",
    .name = "Min-p",
    .meaning = "only tokens at least p times as probable as the most probable one; 0 keeps all",
    .words = "threshold",
    .number = SamplingStage::Number::Share,
    .off = 0,
    .usual = 0.1f,
    .low = 0,
    .high = 1,
    .step = 0.05f,
    .decimals = 2,
    .apply = keepMinP,
    .reason = belowMinP};

}  // namespace glassformer
