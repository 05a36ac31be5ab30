#include "core/text/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace glassformer {

namespace {

std::uint8_t byteAt(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

// Length announced by a lead byte, 0 for bytes that start nothing (continuations, C0, C1, F5 and up).
int announcedLength(std::uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

bool isScalarValueOfLength(char32_t value, int length) {
  static constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return value >= smallest[length] && value <= 0x10FFFF && !(value >= 0xD800 && value <= 0xDFFF);
}

std::string hexadecimal(const char* format, unsigned value) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

bool isInvisible(char32_t value) {
  if (value == U' ') return false;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return true;
    default:
      return false;
  }
}

std::string visibleForm(const CodePoint& point, std::string_view bytes) {
  if (point.valid && point.value == U'\n') return "↵";
  if (point.valid && point.value == U'\t') return "⇥";
  if (!point.valid || point.value < 0x20 || point.value == 0x7F)
    return hexadecimal("<%02X>", static_cast<unsigned>(point.value));
  if (isInvisible(point.value)) return hexadecimal("<U+%04X>", static_cast<unsigned>(point.value));
  return std::string(bytes);
}

}  // namespace

CodePoint codePointAt(std::string_view text, std::size_t at) {
  const std::uint8_t lead = byteAt(text, at);
  const CodePoint wrong{lead, 1, false};
  const int length = announcedLength(lead);
  if (length == 0 || at + static_cast<std::size_t>(length) > text.size()) return wrong;
  if (length == 1) return {lead, 1, true};
  char32_t value = lead & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) {
    const std::uint8_t next = byteAt(text, at + static_cast<std::size_t>(i));
    if ((next & 0xC0) != 0x80) return wrong;
    value = (value << 6) | (next & 0x3Fu);
  }
  return isScalarValueOfLength(value, length) ? CodePoint{value, length, true} : wrong;
}

bool isValidUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    if (!point.valid) return false;
    at += static_cast<std::size_t>(point.bytes);
  }
  return true;
}

std::size_t previousCharacter(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  // A character that covers the byte before `at` starts at most four bytes back; otherwise that byte stands
  // alone.
  for (std::size_t back = std::min<std::size_t>(4, at); back > 1; --back) {
    const std::size_t start = at - back;
    const CodePoint point = codePointAt(text, start);
    if (point.valid && static_cast<std::size_t>(point.bytes) >= back) return start;
  }
  return at == 0 ? 0 : at - 1;
}

std::size_t nextCharacter(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  const std::size_t start = previousCharacter(text, at + 1);
  return start + static_cast<std::size_t>(codePointAt(text, start).bytes);
}

std::string encodeUtf8(char32_t value) {
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) value = 0xFFFD;
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  const auto tail = [&](int shift) { return byte(0x80 | ((value >> shift) & 0x3F)); };
  if (value < 0x80) return {byte(value)};
  if (value < 0x800) return {byte(0xC0 | (value >> 6)), tail(0)};
  if (value < 0x10000) return {byte(0xE0 | (value >> 12)), tail(6), tail(0)};
  return {byte(0xF0 | (value >> 18)), tail(12), tail(6), tail(0)};
}

std::string visibleText(std::string_view text) {
  std::string visible;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    visible += visibleForm(point, text.substr(at, static_cast<std::size_t>(point.bytes)));
    at += static_cast<std::size_t>(point.bytes);
  }
  return visible;
}

std::string excerpt(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t characters = 0; characters < most && end < text.size(); ++characters)
    end += static_cast<std::size_t>(codePointAt(text, end).bytes);
  return visibleText(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

std::string inQuotes(std::string_view text) { return std::string("\"").append(excerpt(text)).append("\""); }

}  // namespace glassformer
