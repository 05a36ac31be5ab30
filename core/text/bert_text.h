#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// What BERT's tokenizers do to a text before they cut it (Devlin et al. 2018, their published tokenizer).
struct BertNormalization {
  bool cleans = true;          ///< control characters go, white space becomes a space
  bool parts = true;           ///< Chinese characters stand apart
  bool removesAccents = true;  ///< characters are decomposed (NFD), and combining marks (Mn) go
  bool writesInSmall = true;   ///< capitals become small letters, each by itself
  bool operator==(const BertNormalization&) const = default;
};

/// A text that has been normalized, character by character, and where these come from. Bytes that are no
/// character are taken for U+FFFD, which cleaning removes.
class BertText {
 public:
  BertText(const BertNormalization& normalization, std::string_view text);

  std::size_t count() const { return characters_.size(); }
  char32_t operator[](std::size_t i) const { return characters_[i].value; }
  /// Where in the original the first `count` characters end. What was removed belongs to the character before
  /// it, and what one became that was decomposed comes from it as a whole.
  std::size_t originOf(std::size_t count) const;
  /// Characters from one on up to another, in UTF-8.
  std::string between(std::size_t begin, std::size_t end) const;

 private:
  struct Character {
    char32_t value;
    std::size_t origin;  // its first byte in the original
  };
  using Characters = std::vector<Character>;
  static Characters cleaned(Characters text);
  static Characters parted(Characters text);
  static Characters withoutAccents(const Characters& text);
  static Characters inSmall(const Characters& text);

  Characters characters_;
  std::size_t end_;
};

/// Whether a text in Chinese characters is written without spaces at this one: the blocks of ideographs that
/// BERT's tokenizers know.
bool isChinese(char32_t value);

}  // namespace glassformer
