#pragma once
#include <span>
#include <string_view>

namespace glassformer {

/// What else a line of the palette is called, in lectures and papers: of "Cost: Cache" also "key-value
/// table". By its title, or by what stands behind " · " in it, so that "Block 2 · Norm" is a "Norm"; empty
/// where it has one name.
std::string_view otherWords(std::string_view title);

/// Every title that has other words.
struct TitleWords {
  std::string_view title, words;
};
std::span<const TitleWords> titlesWithOtherWords();

}  // namespace glassformer
