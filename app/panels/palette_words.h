#pragma once
#include <span>
#include <string>
#include <string_view>

namespace glassformer {

/// What else a line of the palette is called, in lectures and papers: of "Cost: Cache" also "key-value
/// table". By its title, or by what stands behind " · " in it, so that "Block 2 · Norm" is a "Norm"; empty
/// where it has one name.
std::string_view otherWords(std::string_view title);

/// What else an action is called: its title in earlier releases, and words that people look for it by.
struct ActionNames {
  std::string_view id, formerly, words;
};
std::span<const ActionNames> actionsWithOtherNames();
/// Both, with a comma between them; empty for an action that has one name.
std::string otherWordsOfAction(std::string_view id);

/// What else a field of the config is called, "norm_placement", or one of its options,
/// "norm_placement=post": its name in earlier releases, and words of papers.
std::string_view otherWordsOfField(std::string_view id);

/// Every title that has other words.
struct TitleWords {
  std::string_view title, words;
};
std::span<const TitleWords> titlesWithOtherWords();

}  // namespace glassformer
