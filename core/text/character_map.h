#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// What a text is rewritten by before it is cut, as SentencePiece compiles it (Kudo and Richardson 2018):
/// full width letters to plain ones, line breaks to spaces, ... From left to right the longest piece of text
/// that the map knows becomes what stands for it; other characters stay.
///
/// Compiled it is a trie as a double array (Aoe 1989, in the layout of Darts) and the replacements behind it.
class CharacterMap {
 public:
  /// Rewrites nothing.
  CharacterMap() = default;
  /// `bytes`: the trie's size in bytes as a little-endian number of 32 bits, its units, then the
  /// replacements, each ended by a zero. Refuses other sizes than it says.
  static Result<CharacterMap> create(std::string bytes);

  struct Rewriting {
    std::size_t length = 0;  ///< bytes of the text
    std::string_view by;
  };
  /// The longest beginning of the text that is rewritten; nothing where none is.
  std::optional<Rewriting> longest(std::string_view text) const;
  const std::string& bytes() const { return bytes_; }
  bool operator==(const CharacterMap& other) const { return bytes_ == other.bytes_; }

 private:
  std::string bytes_;
  std::vector<std::uint32_t> units_;
};

}  // namespace glassformer
