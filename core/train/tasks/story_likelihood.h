#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// ln P of a whole story under the full grammar (see stories.h), its end included; with or without the
/// `<|endoftext|>` behind it. Nothing where the grammar cannot tell it. Found by a search through all choices
/// that fit the text.
std::optional<double> storyLogProbability(std::string_view text);

/// A word that a gap in a story can hold, and ln P of the whole story with it.
struct GapWord {
  std::string word;
  double logProbability = 0;
};

/// All words (letters only) with which before + word + after is a story, the most probable first. `after`
/// must not begin with a letter.
std::vector<GapWord> gapWords(std::string_view before, std::string_view after);

}  // namespace glassformer
