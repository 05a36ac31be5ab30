#pragma once
#include <cstdlib>
#include <string>

#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls who drafts: one of the smaller models that ship with the same tokens, by
/// its name; without a choice the smallest of them; or, also where there is none, the model itself, without
/// the second half of its blocks.
inline constexpr const char *draftChoice = "next_token.draft", *draftByHalf = "half";
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
