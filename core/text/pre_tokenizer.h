#pragma once
#include <string_view>
#include <vector>

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
/// Unicode's categories N*, those of newer versions included.
bool isNumber(char32_t value);
/// Of the character that begins at a byte.
bool isWhiteSpaceAt(std::string_view text, std::size_t at);

}  // namespace glassformer
