#include "app/views/tokens/token_words.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "app/document/text_edit.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

bool runsLeftwards(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    at += static_cast<std::size_t>(point.bytes);
    if (!point.valid) continue;
    const auto direction = utf8proc_get_property(static_cast<utf8proc_int32_t>(point.value))->bidi_class;
    if (direction == UTF8PROC_BIDI_CLASS_R || direction == UTF8PROC_BIDI_CLASS_AL) return true;
  }
  return false;
}

std::string hexNumber(char32_t value, int digits) {
  static constexpr char sign[] = "0123456789ABCDEF";
  std::string text;
  for (int i = digits - 1; i >= 0; --i) text += sign[(value >> (4 * i)) & 15];
  return text;
}

}  // namespace

std::string hexOf(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes)
    text += (text.empty() ? "" : " ") + hexNumber(static_cast<unsigned char>(byte), 2);
  return text;
}

std::string characterLabel(std::string_view character) {
  const CodePoint point = codePointAt(character, 0);
  if (character == " ") return "·";
  if (point.valid && point.value > 0xFFFF) return "<U+" + hexNumber(point.value, 5) + ">";
  return visibleText(character);
}

std::string readable(std::string_view word) {
  std::vector<std::string_view> characters;
  for (std::size_t at = 0; at < word.size(); at += characters.back().size())
    characters.push_back(word.substr(at, graphemeLength(word, at)));
  if (runsLeftwards(word)) std::reverse(characters.begin(), characters.end());
  std::string text;
  for (const std::string_view character : characters)
    for (std::size_t at = 0; at < character.size(); at = nextCharacter(character, at))
      text += characterLabel(character.substr(at, nextCharacter(character, at) - at));
  return text;
}

std::string partOfCharacter(std::string_view text, const TokenPiece& token) {
  for (std::size_t at = token.begin > 3 ? token.begin - 3 : 0; at < token.end;) {
    const CodePoint point = codePointAt(text, at);
    const auto length = static_cast<std::size_t>(point.bytes);
    const bool cut = at < token.begin ? at + length > token.begin : at + length > token.end;
    if (point.valid && cut) {
      const std::size_t from = std::max(at, token.begin), to = std::min(at + length, token.end);
      const std::string which =
          to - from == 1 ? "byte " + std::to_string(from - at + 1)
                         : "bytes " + std::to_string(from - at + 1) + " to " + std::to_string(to - at);
      return which + " of “" + visibleText(text.substr(at, length)) + "” (U+" +
             hexNumber(point.value, point.value > 0xFFFF ? 5 : 4) + ")";
    }
    at += length;
  }
  return "";
}

const WordMerges* wordAt(const Snapshot& snapshot, std::size_t byte, Stream stream) {
  if (!snapshot.pass->words || snapshot.pass->wordsOf != stream) return nullptr;
  for (const WordMerges& word : *snapshot.pass->words)
    if (byte >= word.range.begin && byte < word.range.end) return &word;
  return nullptr;
}

}  // namespace glassformer
