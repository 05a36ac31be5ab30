#pragma once
#include <algorithm>
#include <cstdlib>

#include "app/document/workspace.h"

namespace glassformer {

/// What ViewSettings::choices calls the temperature of the lookup table.
inline constexpr const char* lookupTemperatureChoice = "step.temperature";
inline constexpr float hottestLookup = 10;

/// τ of softmax(s / τ): 1 as long as none is chosen; 0 takes the best key alone.
inline float lookupTemperature(const ViewSettings& settings) {
  const std::string words(settings.chosen(lookupTemperatureChoice));
  if (words.empty()) return 1;
  const float chosen = std::strtof(words.c_str(), nullptr);
  return chosen >= 0 ? std::min(chosen, hottestLookup) : 1;
}

}  // namespace glassformer
