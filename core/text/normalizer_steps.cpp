#include "core/text/normalizer_steps.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

auto categoryOf(char32_t value) { return utf8proc_category(static_cast<utf8proc_int32_t>(value)); }

bool isNonspacingMark(char32_t value) { return categoryOf(value) == UTF8PROC_CATEGORY_MN; }
bool isAnyMark(char32_t value) {
  const auto category = categoryOf(value);
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

// Character by character: `by` says what one becomes, or that it stays.
template <typename By>
void rewriteCharacters(AlignedText& text, By by) {
  Rewriting rewriting(text);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text.text(), at);
    at += static_cast<std::size_t>(point.bytes);
    if (const std::optional<std::string> written = by(point))
      rewriting.replace(at, *written);
    else
      rewriting.keep(at);
  }
  text = std::move(rewriting).done();
}

template <typename Matches>
void removeWhere(AlignedText& text, Matches matches) {
  rewriteCharacters(text, [&](const CodePoint& point) -> std::optional<std::string> {
    if (matches(point)) return "";
    return std::nullopt;
  });
}

// As it is, where it is no valid UTF-8.
std::string inNormalForm(std::string_view stretch, int options) {
  utf8proc_uint8_t* made = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(stretch.data()),
                                 static_cast<utf8proc_ssize_t>(stretch.size()), &made,
                                 static_cast<utf8proc_option_t>(UTF8PROC_STABLE | options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  return size < 0 ? std::string(stretch)
                  : std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
}

// A mark, or a later part of a syllable of Hangul, composes with what stands before it; nothing else does.
bool composesBackward(std::string_view text, std::size_t at) {
  const CodePoint point = codePointAt(text, at);
  return point.valid && (isAnyMark(point.value) || (point.value >= 0x1160 && point.value <= 0x11FF));
}

// Tab and the ends of lines count as white space instead.
bool isRemovedByCleaning(const CodePoint& point) {
  if (!point.valid || point.value == 0xFFFD || point.value == 0) return true;
  if (point.value == U'\t' || point.value == U'\n' || point.value == U'\r') return false;
  switch (categoryOf(point.value)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
      return true;
    default:
      return false;
  }
}

bool isNmtControl(char32_t c) {
  return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F ||
         c == 0x9F;
}
bool isNmtSpace(char32_t c) {
  return c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F) ||
         c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
}

}  // namespace

Normalizer::Step normalForm(int options) {
  return [options](AlignedText& text) {
    const std::string& whole = text.text();
    Rewriting rewriting(text);
    for (std::size_t at = 0; at < whole.size();) {
      std::size_t end = nextCharacter(whole, at);
      while (end < whole.size() && composesBackward(whole, end)) end = nextCharacter(whole, end);
      const std::string_view stretch = std::string_view(whole).substr(at, end - at);
      const std::string made = stretch.size() == 1 ? "" : inNormalForm(stretch, options);
      if (stretch.size() == 1 || made == stretch)
        rewriting.keep(end);
      else
        rewriting.replace(end, made);
      at = end;
    }
    text = std::move(rewriting).done();
  };
}

void writeInSmall(AlignedText& text) {
  constexpr char32_t capitalDotted = 0x130;  // the only one that becomes two
  rewriteCharacters(text, [](const CodePoint& point) -> std::optional<std::string> {
    if (!point.valid) return std::nullopt;
    if (point.value == capitalDotted) return "i\u0307";
    const auto value = static_cast<utf8proc_int32_t>(point.value), small = utf8proc_tolower(value);
    if (small == value) return std::nullopt;
    return encodeUtf8(static_cast<char32_t>(small));
  });
}

void removeMarks(AlignedText& text) {
  removeWhere(text, [](const CodePoint& point) { return point.valid && isAnyMark(point.value); });
}
void removeNonspacingMarks(AlignedText& text) {
  removeWhere(text, [](const CodePoint& point) { return point.valid && isNonspacingMark(point.value); });
}

Normalizer::Step stripSpace(bool left, bool right) {
  return [left, right](AlignedText& text) {
    const std::string& whole = text.text();
    std::size_t begin = 0, end = whole.size();
    while (right && end > begin && isWhiteSpaceAt(whole, previousCharacter(whole, end)))
      end = previousCharacter(whole, end);
    while (left && begin < end && isWhiteSpaceAt(whole, begin)) begin = nextCharacter(whole, begin);
    text = text.part(begin, end);
  };
}

void writeSpacesOfNmt(AlignedText& text) {
  rewriteCharacters(text, [](const CodePoint& point) -> std::optional<std::string> {
    if (!point.valid) return std::nullopt;
    if (isNmtControl(point.value)) return "";
    if (isNmtSpace(point.value)) return " ";
    return std::nullopt;
  });
}

void cleanText(AlignedText& text) {
  rewriteCharacters(text, [](const CodePoint& point) -> std::optional<std::string> {
    if (isRemovedByCleaning(point)) return "";
    if (isWhiteSpace(point.value)) return " ";
    return std::nullopt;
  });
}

void partChinese(AlignedText& text) {
  Rewriting rewriting(text);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text.text(), at);
    const bool isApart = point.valid && isChinese(point.value);
    at += static_cast<std::size_t>(point.bytes);
    if (isApart) rewriting.insert(" ");
    rewriting.keep(at);
    if (isApart) rewriting.insert(" ");
  }
  text = std::move(rewriting).done();
}

bool isChinese(char32_t value) {
  constexpr std::array<std::pair<char32_t, char32_t>, 8> blocks{{{0x4E00, 0x9FFF},
                                                                 {0x3400, 0x4DBF},
                                                                 {0x20000, 0x2A6DF},
                                                                 {0x2A700, 0x2B73F},
                                                                 {0x2B740, 0x2B81F},
                                                                 {0x2B820, 0x2CEAF},
                                                                 {0xF900, 0xFAFF},
                                                                 {0x2F800, 0x2FA1F}}};
  return std::ranges::any_of(
      blocks, [value](const auto& block) { return value >= block.first && value <= block.second; });
}

}  // namespace glassformer
