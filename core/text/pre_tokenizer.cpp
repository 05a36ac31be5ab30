#include "core/text/pre_tokenizer.h"

#include <utf8proc.h>

#include <array>
#include <cstddef>

#include "core/text/newer_characters.h"
#include "core/text/utf8.h"

namespace glassformer {

bool isWhiteSpace(char32_t value) {
  return (value >= 0x09 && value <= 0x0D) || value == 0x20 || value == 0x85 || value == 0xA0 ||
         value == 0x1680 || (value >= 0x2000 && value <= 0x200A) || value == 0x2028 || value == 0x2029 ||
         value == 0x202F || value == 0x205F || value == 0x3000;
}

bool isPunctuation(char32_t value) {
  if (value < 0x80) return std::ispunct(static_cast<int>(value)) != 0;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(value));
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

bool isNumber(char32_t value) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(value));
  if (category == UTF8PROC_CATEGORY_CN) return isNewerNumber(value);
  return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

bool isWhiteSpaceAt(std::string_view text, std::size_t at) {
  const CodePoint point = codePointAt(text, at);
  return point.valid && isWhiteSpace(point.value);
}

namespace {

enum class Kind { Letter, Number, Space, Sign };

Kind kindOf(const CodePoint& point) {
  if (!point.valid) return Kind::Sign;
  if (isWhiteSpace(point.value)) return Kind::Space;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(point.value));
  if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) return Kind::Letter;
  if (category == UTF8PROC_CATEGORY_CN && isNewerLetter(point.value)) return Kind::Letter;
  return isNumber(point.value) ? Kind::Number : Kind::Sign;
}

/// Walks over the text; every function returns the byte offset at which the piece that starts at `at` ends.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t pieceEnd(std::size_t at) const {
    if (const std::size_t length = contractionLength(at)) return at + length;
    const bool spaceBeforePiece = text_[at] == ' ' && at + 1 < text_.size() && kindAt(at + 1) != Kind::Space;
    const std::size_t start = spaceBeforePiece ? at + 1 : at;
    if (kindAt(start) == Kind::Space) return spaceEnd(start);
    return runEnd(start);
  }

 private:
  Kind kindAt(std::size_t at) const { return kindOf(codePointAt(text_, at)); }

  std::size_t contractionLength(std::size_t at) const {
    static constexpr std::array<std::string_view, 7> contractions{"'s", "'t",  "'re", "'ve",
                                                                  "'m", "'ll", "'d"};
    if (text_[at] != '\'') return 0;
    for (std::string_view contraction : contractions)
      if (text_.substr(at, contraction.size()) == contraction) return contraction.size();
    return 0;
  }

  std::size_t runEnd(std::size_t at) const {
    const Kind kind = kindAt(at);
    while (at < text_.size()) {
      const CodePoint point = codePointAt(text_, at);
      if (kindOf(point) != kind) break;
      at += static_cast<std::size_t>(point.bytes);
    }
    return at;
  }

  // All of the white space at the end of the text; otherwise the last character is left to the piece that
  // follows.
  std::size_t spaceEnd(std::size_t at) const {
    const std::size_t end = runEnd(at);
    if (end == text_.size()) return end;
    const std::size_t last = previousCharacter(text_, end);
    return last > at ? last : end;
  }

  std::string_view text_;
};

}  // namespace

std::vector<std::string_view> splitIntoPieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  const Scanner scanner(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = scanner.pieceEnd(at);
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

}  // namespace glassformer
