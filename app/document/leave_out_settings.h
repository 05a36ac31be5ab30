#pragma once
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls which number is shown of what is left out, and how much is left out at
/// once.
inline constexpr const char *leftOutNumber = "influence.left_out", *leftOutByDivergence = "divergence",
                            *leftOutByEstimate = "estimate", *leftOutAt = "influence.left_out_at",
                            *leftOutByPosition = "position";

/// Whether each part is left out at one position at a time, else at all of them.
inline bool leavesOutByPosition(const ViewSettings& settings) {
  return settings.chosen(leftOutAt) == leftOutByPosition;
}

}  // namespace glassformer
