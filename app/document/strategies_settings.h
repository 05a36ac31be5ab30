#pragma once
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls how many samples are drawn at once.
inline constexpr const char *samplesChoice = "next_token.samples", *manySamplesChosen = "1000";
inline constexpr int fewSamples = 100, manySamples = 1000;

inline int samplesDrawn(const ViewSettings& settings) {
  return settings.chosen(samplesChoice) == manySamplesChosen ? manySamples : fewSamples;
}

}  // namespace glassformer
