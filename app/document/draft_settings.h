#pragma once
#include <cstdlib>
#include <string>

#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls who drafts: without a choice the model of that name that ships, where it
/// has the same tokens; or the model itself, without the second half of its blocks.
inline constexpr const char *draftChoice = "next_token.draft", *draftByHalf = "half", *draftModel = "draft";
/// How many tokens it proposes at once.
inline constexpr const char* proposalsChoice = "next_token.proposals";
inline constexpr int fewProposals = 2, usualProposals = 4, manyProposals = 8;
/// Which of the tokens is taken apart, counted from the first; without a choice the first that was refused.
inline constexpr const char* draftedChoice = "next_token.drafted";

inline int proposalsAtOnce(const ViewSettings& settings) {
  const std::string_view chosen = settings.chosen(proposalsChoice);
  for (const int count : {fewProposals, manyProposals})
    if (chosen == std::to_string(count)) return count;
  return usualProposals;
}

}  // namespace glassformer
