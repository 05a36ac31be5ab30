#pragma once
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "app/document/view_settings.h"

namespace glassformer {

/// The temperatures that pictures try out a softmax at, by what ViewSettings::choices calls them: of the
/// lookup table, of the surface over two scores, and of the gradients through a head.
inline constexpr const char *lookupTemperatureChoice = "step.temperature",
                            *surfaceTemperatureChoice = "attention.temperature",
                            *gradientTemperatureChoice = "influence.temperature";
inline constexpr float hottestLookup = 10;

/// τ of softmax(s / τ): 1 as long as none is chosen; 0 takes the best key alone.
inline float chosenTemperature(const ViewSettings& settings, std::string_view choice) {
  const std::string words(settings.chosen(choice));
  if (words.empty()) return 1;
  const float chosen = std::strtof(words.c_str(), nullptr);
  return chosen >= 0 ? std::min(chosen, hottestLookup) : 1;
}

/// How the lookup table is asked: only for a key that is the query (nothing), or softly, at the τ chosen.
inline constexpr const char* exactLookup = "exact";
inline std::optional<float> chosenLookup(const ViewSettings& settings) {
  if (settings.chosen(lookupTemperatureChoice) == exactLookup) return std::nullopt;
  return chosenTemperature(settings, lookupTemperatureChoice);
}

}  // namespace glassformer
