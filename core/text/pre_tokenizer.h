#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/expression.h"

namespace glassformer {

/// Cuts text into the pieces inside which byte-pair merges happen, as GPT-2 does (Radford et al. 2019). In
/// order of preference a piece is: one of 's 't 're 've 'm 'll 'd; an optional space and letters; an optional
/// space and numbers; an optional space and other signs; white space except the last character before a
/// piece; white space. Letters and numbers are Unicode categories L* and N*; white space is Unicode's
/// White_Space. A byte that is no character counts as an "other sign".
///
/// The pieces cover the text: concatenated they are the text again. They point into it.
std::vector<std::string_view> splitIntoPieces(std::string_view text);

/// Unicode's White_Space.
bool isWhiteSpace(char32_t value);
/// Punctuation of ASCII, signs such as + and $ included, or of Unicode (categories P*).
bool isPunctuation(char32_t value);
/// Of the character that begins at a byte.
bool isWhiteSpaceAt(std::string_view text, std::size_t at);

/// How a byte-level tokenizer cuts a text into pieces: in steps, each of which cuts every piece of the one
/// before. Immutable, and safe to use from several threads.
class PreTokenizer {
 public:
  /// GPT-2's cut alone.
  PreTokenizer() : steps_(1) {}
  /// A step is a regular expression (PCRE2 over Unicode) whose matches are pieces, as is what lies between
  /// them; an empty one is GPT-2's cut. Refuses what is no expression.
  static Result<PreTokenizer> create(const std::vector<std::string>& expressions);

  /// They cover the text, and point into it.
  std::vector<std::string_view> pieces(std::string_view text) const;
  std::vector<std::string> expressions() const;
  bool operator==(const PreTokenizer& other) const { return expressions() == other.expressions(); }

 private:
  std::vector<std::optional<Expression>> steps_;  // none: GPT-2's cut
};

}  // namespace glassformer
