#pragma once
#include <string_view>

#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls what *Why there* takes apart: without a choice a score, or what the head
/// writes towards a logit, which is that of residual.entry, or how far that is ahead of another's.
inline constexpr const char *takenApartChoice = "attention.taken_apart", *outputTakenApart = "output",
                            *subtractedChoice = "attention.against";
/// And its rows and columns: without a choice as they were written, block by block, or the largest first.
inline constexpr const char *partOrderChoice = "attention.score_order", *partsByBlock = "blocks",
                            *largestPartsFirst = "largest";

enum class PartOrder { Written, Blocks, Largest };
inline PartOrder partOrder(const ViewSettings& settings) {
  const std::string_view chosen = settings.chosen(partOrderChoice);
  return chosen == partsByBlock        ? PartOrder::Blocks
         : chosen == largestPartsFirst ? PartOrder::Largest
                                       : PartOrder::Written;
}
inline const char* choiceOf(PartOrder order) {
  return order == PartOrder::Blocks ? partsByBlock : order == PartOrder::Largest ? largestPartsFirst : "";
}

inline bool takesOutputApart(const ViewSettings& settings) {
  return settings.chosen(takenApartChoice) == outputTakenApart;
}

}  // namespace glassformer
