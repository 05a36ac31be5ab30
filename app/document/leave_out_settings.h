#pragma once
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls whether the gradient's estimate stands beside the exact number, how much
/// is left out at once, and what takes its place: "" nothing, else its mean over the text.
inline constexpr const char *leftOutNumber = "influence.left_out", *leftOutByEstimate = "estimate",
                            *usualAblationMetric = "logit", *leftOutAt = "influence.left_out_at",
                            *leftOutByPosition = "position", *leftOutReplaced = "influence.left_out_as",
                            *leftOutReplacedByMean = "mean";

/// Whether each part is left out at one position at a time, else at all of them.
inline bool leavesOutByPosition(const ViewSettings& settings) {
  return settings.chosen(leftOutAt) == leftOutByPosition;
}

/// Whether each part is held at its mean over the text, else at zero.
inline bool holdsAtMean(const ViewSettings& settings) {
  return settings.chosen(leftOutReplaced) == leftOutReplacedByMean;
}

}  // namespace glassformer
