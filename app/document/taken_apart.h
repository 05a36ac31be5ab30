#pragma once
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls what *Why there* takes apart: without a choice a score, or what the head
/// writes towards a logit, which is that of residual.entry.
inline constexpr const char *takenApartChoice = "attention.taken_apart", *outputTakenApart = "output";
/// And the order of its rows and columns: without a choice as they were written, or the largest first.
inline constexpr const char *partOrderChoice = "attention.score_order", *largestPartsFirst = "largest";

inline bool takesOutputApart(const ViewSettings& settings) {
  return settings.chosen(takenApartChoice) == outputTakenApart;
}

}  // namespace glassformer
