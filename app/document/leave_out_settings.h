#pragma once
#include <string_view>

#include "app/document/workspace.h"

namespace glassformer {

/// What ViewSettings::choices calls which number is shown of what is left out, and how much is left out at
/// once.
inline constexpr const char *leftOutNumber = "influence.left_out", *leftOutByDivergence = "divergence",
                            *leftOutAt = "influence.left_out_at", *leftOutByPosition = "position";

inline bool isChosen(const ViewSettings& settings, std::string_view choice, std::string_view value) {
  const auto chosen = settings.choices.find(choice);
  return chosen != settings.choices.end() && chosen->second == value;
}
/// Whether each part is left out at one position at a time, else at all of them.
inline bool leavesOutByPosition(const ViewSettings& settings) {
  return isChosen(settings, leftOutAt, leftOutByPosition);
}

}  // namespace glassformer
