#include "core/text/bert_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

constexpr char32_t notACharacter = 0xFFFD;

utf8proc_int32_t asInteger(char32_t value) { return static_cast<utf8proc_int32_t>(value); }

bool isMark(char32_t value) { return utf8proc_category(asInteger(value)) == UTF8PROC_CATEGORY_MN; }

int combiningClass(char32_t value) { return utf8proc_get_property(asInteger(value))->combining_class; }

// Tab and the ends of lines count as white space instead.
bool isRemoved(char32_t value) {
  if (value == U'\t' || value == U'\n' || value == U'\r') return false;
  switch (utf8proc_category(asInteger(value))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
      return true;
    default:
      return value == notACharacter;
  }
}

}  // namespace

BertText::BertText(const BertNormalization& normalization, std::string_view text) : end_(text.size()) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    characters_.push_back({point.valid ? point.value : notACharacter, at});
    at += static_cast<std::size_t>(point.bytes);
  }
  if (normalization.cleans) characters_ = cleaned(std::move(characters_));
  if (normalization.parts) characters_ = parted(std::move(characters_));
  if (normalization.removesAccents) characters_ = withoutAccents(characters_);
  if (normalization.writesInSmall) characters_ = inSmall(characters_);
}

std::size_t BertText::originOf(std::size_t count) const {
  const auto isOfOne = [&](std::size_t i) { return characters_[i].origin == characters_[i - 1].origin; };
  while (count > 0 && count < characters_.size() && isOfOne(count)) ++count;
  return count < characters_.size() ? characters_[count].origin : end_;
}

std::string BertText::between(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += encodeUtf8(characters_[i].value);
  return text;
}

BertText::Characters BertText::cleaned(Characters text) {
  std::erase_if(text, [](const Character& c) { return isRemoved(c.value); });
  for (Character& c : text)
    if (isWhiteSpace(c.value)) c.value = U' ';
  return text;
}

BertText::Characters BertText::parted(Characters text) {
  if (std::ranges::none_of(text, isChinese, &Character::value)) return text;
  Characters apart;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Character& c = text[i];
    if (!isChinese(c.value)) {
      apart.push_back(c);
      continue;
    }
    apart.insert(apart.end(),
                 {{U' ', c.origin}, c, {U' ', i + 1 < text.size() ? text[i + 1].origin : c.origin}});
  }
  return apart;
}

// Marks in a row are in the order of their classes, as in any text that is decomposed (UAX #15).
BertText::Characters BertText::withoutAccents(const Characters& text) {
  Characters decomposed;
  for (const Character& c : text) {
    std::array<utf8proc_int32_t, 32> parts{};
    int last = 0;
    const auto count = utf8proc_decompose_char(asInteger(c.value), parts.data(), parts.size(),
                                               static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE), &last);
    if (count < 1) decomposed.push_back(c);
    for (utf8proc_ssize_t i = 0; i < count; ++i)
      decomposed.push_back({static_cast<char32_t>(parts[static_cast<std::size_t>(i)]), c.origin});
  }
  for (auto run = decomposed.begin(); run != decomposed.end();) {
    const auto end =
        std::find_if(run, decomposed.end(), [](const Character& c) { return combiningClass(c.value) == 0; });
    std::stable_sort(run, end, [](const Character& a, const Character& b) {
      return combiningClass(a.value) < combiningClass(b.value);
    });
    run = end == decomposed.end() ? end : std::next(end);
  }
  std::erase_if(decomposed, [](const Character& c) { return isMark(c.value); });
  return decomposed;
}

BertText::Characters BertText::inSmall(const Characters& text) {
  constexpr char32_t capitalDotted = 0x130, dotAbove = 0x307;  // the only one that becomes two
  Characters small;
  for (const Character& c : text) {
    if (c.value == capitalDotted)
      small.insert(small.end(), {{U'i', c.origin}, {dotAbove, c.origin}});
    else
      small.push_back({static_cast<char32_t>(utf8proc_tolower(asInteger(c.value))), c.origin});
  }
  return small;
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
