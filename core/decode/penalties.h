#pragma once
#include "core/decode/sampling_stage.h"

namespace glassformer {

// Three ways to make again improbable what the text has said already.

void penalizeRepetition(Candidates& candidates, float penalty);
void penalizeFrequency(Candidates& candidates, float penalty);
void penalizePresence(Candidates& candidates, float penalty);

/// Keskar et al. 2019, "CTRL", section 4.1; there with 1.2.
inline constexpr SamplingStage repetitionStage{
    .id = "repetition-penalty",
    .name = "Repetition",
    .meaning = "z / θ where z > 0, else z · θ, for tokens that the text has already; 1 changes nothing",
    .words = "penalty repeat theta",
    .number = SamplingStage::Number::Positive,
    .off = 1,
    .usual = 1.2f,
    .low = 0.5f,
    .high = 2,
    .step = 0.1f,
    .decimals = 1,
    .apply = penalizeRepetition};

inline constexpr SamplingStage frequencyStage{
    .id = "frequency-penalty",
    .name = "Frequency",
    .meaning = "z − α · (how often the text has the token already); 0 changes nothing",
    .words = "penalty repeat alpha",
    .number = SamplingStage::Number::Real,
    .off = 0,
    .usual = 0.5f,
    .low = 0,
    .high = 2,
    .step = 0.1f,
    .decimals = 1,
    .apply = penalizeFrequency};

inline constexpr SamplingStage presenceStage{
    .id = "presence-penalty",
    .name = "Presence",
    .meaning = "z − α for tokens that the text has already, however often; 0 changes nothing",
    .words = "penalty repeat alpha",
    .number = SamplingStage::Number::Real,
    .off = 0,
    .usual = 0.5f,
    .low = 0,
    .high = 2,
    .step = 0.1f,
    .decimals = 1,
    .apply = penalizePresence};

}  // namespace glassformer
