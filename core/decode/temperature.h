#pragma once
#include "core/decode/sampling_stage.h"

namespace glassformer {

void applyTemperature(Candidates& candidates, float temperature);

/// Sharpens or flattens the distribution; the order of the candidates stays.
inline constexpr SamplingStage temperatureStage{
    .id = "temperature",
    .name = "Temperature",
    .meaning = "p = softmax(z / τ): below 1 sharper, above 1 flatter",
    .words = "random",
    .number = SamplingStage::Number::Positive,
    .off = 1,
    .usual = 1.5f,
    .low = 0.1f,
    .high = 3,
    .step = 0.1f,
    .decimals = 1,
    .atHand = true,
    .apply = applyTemperature};

}  // namespace glassformer
