#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace glassformer {

/// UTF-8 that may be wrong. Text typed, pasted or decoded from tokens can hold any bytes; nothing here
/// throws, and nothing changes the bytes: a byte that belongs to no well-formed character (RFC 3629: no
/// overlong forms, no surrogates, nothing above U+10FFFF) counts as a character of its own, one byte long.

struct CodePoint {
  char32_t value = 0;  ///< the code point, or the byte itself where `valid` is false
  int bytes = 1;       ///< 1 to 4; always 1 where `valid` is false
  bool valid = false;
};

/// The character that starts at byte `at`, which must be less than text.size().
CodePoint codePointAt(std::string_view text, std::size_t at);

bool isValidUtf8(std::string_view text);

/// Byte offset of the next or previous character boundary; stays at the text's ends. An offset inside a
/// character moves to that character's end or start.
std::size_t nextCharacter(std::string_view text, std::size_t at);
std::size_t previousCharacter(std::string_view text, std::size_t at);

/// The UTF-8 form of a code point; the replacement character U+FFFD for what is none (surrogates, above
/// U+10FFFF).
std::string encodeUtf8(char32_t value);

/// A form of the bytes that is valid UTF-8 and in which everything can be seen: newline "↵", tab "⇥", bytes
/// that are no character and control characters "<E2>", invisible characters "<U+200D>". Spaces stay spaces.
std::string visibleText(std::string_view text);

/// The beginning of that form, ended by "…" where something is left out: at most `most` characters of the
/// text. For messages.
std::string excerpt(std::string_view text, std::size_t most = 80);

/// The same between double quotes.
std::string inQuotes(std::string_view text);

}  // namespace glassformer
