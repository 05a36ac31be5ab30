#pragma once
#include "core/decode/sampling_stage.h"

namespace glassformer {

/// Keeps the fewest that reach `mass`, those first whose surprise −ln p is nearest to the entropy H.
void keepTypical(Candidates& candidates, float mass);
std::string untypical(const RankedCandidate& candidate, float mass);

/// Neither the least nor the most surprising, but what is as surprising as one expects (Meister et al. 2023,
/// "Locally Typical Sampling").
inline constexpr SamplingStage typicalStage{
    .id = "typical",
    .name = "Typical",
    .meaning =
        "the tokens whose surprisal −ln p is nearest to the entropy H, up to probability τ; 1 keeps all",
    .words = "locally tau surprisal",
    .number = SamplingStage::Number::Share,
    .off = 1,
    .usual = 0.9f,
    .low = 0.05f,
    .high = 1,
    .step = 0.05f,
    .decimals = 2,
    .apply = keepTypical,
    .reason = untypical};

}  // namespace glassformer
