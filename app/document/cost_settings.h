#pragma once
#include <algorithm>

#include "app/document/chosen_number.h"

namespace glassformer {

/// What ViewSettings::choices calls the sizes that costs are counted for: up to how many tokens mixing is
/// measured; of a block, T tokens, M of a source beside them and the width D. A width that is not chosen is
/// the model's, and so is T: its context.
inline constexpr const char *tokensChoice = "cost.tokens", *costTextChoice = "cost.text",
                            *costSourceChoice = "cost.source", *costWidthChoice = "cost.width";
inline constexpr int fewestTokens = 16, usualTokens = 512, mostMeasuredTokens = 1024,
                     mostCountedTokens = 16384, leastCountedWidth = 8, mostCountedWidth = 8192;

inline int chosenTokens(const ViewSettings& settings) {
  return std::clamp(chosenNumber(settings, tokensChoice, usualTokens), fewestTokens, mostMeasuredTokens);
}

/// The sizes that a block's cost is counted for.
struct CountedSizes {
  int tokens = 1, source = 1, width = leastCountedWidth;
  bool operator==(const CountedSizes&) const = default;
};
inline CountedSizes chosenSizes(const ViewSettings& settings, int context, int width) {
  return {std::clamp(chosenNumber(settings, costTextChoice, context), 1, mostCountedTokens),
          std::clamp(chosenNumber(settings, costSourceChoice, context), 1, mostCountedTokens),
          std::clamp(chosenNumber(settings, costWidthChoice, width), leastCountedWidth, mostCountedWidth)};
}

}  // namespace glassformer
