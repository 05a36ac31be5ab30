#include "core/text/expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <vector>

#include "core/text/utf8.h"

namespace glassformer {

namespace {

struct FreesMatch {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};

// Room for where one match begins and ends, for every thread: a whole vocabulary is matched at a time.
pcre2_match_data* room() {
  thread_local const std::unique_ptr<pcre2_match_data, FreesMatch> own(pcre2_match_data_create(1, nullptr));
  return own.get();
}

PCRE2_SPTR bytesOf(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::size_t lengthOfCharacter(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

// Without the bytes at its end that begin a character and do not finish it.
std::string_view wholeCharacters(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= 3 && bytes <= text.size(); ++bytes) {
    const auto byte = static_cast<unsigned char>(text[text.size() - bytes]);
    if ((byte & 0xC0) == 0x80) continue;  // goes on with a character
    return lengthOfCharacter(text[text.size() - bytes]) > bytes ? text.substr(0, text.size() - bytes) : text;
  }
  return text;
}

// Characters that begin with these bytes and are that many bytes long: some of every script there, and those
// that the pattern names, among them the ends of its ranges.
std::vector<std::string> charactersBeginning(std::string_view bytes, std::string_view pattern) {
  std::vector<std::string> characters;
  const auto add = [&](std::string character) {
    if (character.starts_with(bytes) && isValidUtf8(character)) characters.push_back(std::move(character));
  };
  for (std::size_t at = 0; at < pattern.size();) {
    const auto length = static_cast<std::size_t>(codePointAt(pattern, at).bytes);
    if (length > 1) add(std::string(pattern.substr(at, length)));
    at += length;
  }
  for (const char rest : {'\x80', '\x8B', '\x99', '\xA9', '\xB1', '\xBF'})
    add(std::string(bytes) + std::string(lengthOfCharacter(bytes.front()) - bytes.size(), rest));
  return characters;
}

// Compiled for both: to be looked for anywhere, and to match all of a text. Partial matches may not be
// anchored at the end by an option, and so the expression says it.
Result<std::shared_ptr<const void>> compiled(const std::string& pattern, std::uint32_t options) {
  int error = 0;
  PCRE2_SIZE place = 0;
  pcre2_code* code = pcre2_compile(bytesOf(pattern), pattern.size(), PCRE2_UTF | PCRE2_UCP | options, &error,
                                   &place, nullptr);
  if (code)
    return std::shared_ptr<const void>(
        code, [](const pcre2_code* own) { pcre2_code_free(const_cast<pcre2_code*>(own)); });
  PCRE2_UCHAR words[128] = {};
  pcre2_get_error_message(error, words, sizeof words);
  return Error{inQuotes(pattern) + " is not a regular expression: " + reinterpret_cast<const char*>(words) +
                   ", at byte " + std::to_string(place),
               "", ""};
}

const pcre2_code* codeOf(const std::shared_ptr<const void>& compiled) {
  return static_cast<const pcre2_code*>(compiled.get());
}

}  // namespace

Result<Expression> Expression::compile(std::string_view pattern) {
  Expression made;
  made.pattern_ = pattern;
  auto anywhere = compiled(made.pattern_, PCRE2_MATCH_INVALID_UTF);
  if (!anywhere) return anywhere.error();
  auto whole = compiled("(?:" + made.pattern_ + ")\\z", PCRE2_ANCHORED);
  if (!whole) return whole.error();
  made.anywhere_ = *std::move(anywhere), made.whole_ = *std::move(whole);
  return made;
}

std::optional<Expression::Match> Expression::find(std::string_view text, std::size_t from) const {
  const pcre2_code* code = codeOf(anywhere_);
  // 0: there is no room for its groups.
  if (pcre2_match(code, bytesOf(text), text.size(), from, 0, room(), nullptr) < 0) return std::nullopt;
  const PCRE2_SIZE* found = pcre2_get_ovector_pointer(room());
  return Match{found[0], found[1]};
}

Expression::Fit Expression::fitOf(std::string_view text) const {
  const std::string_view characters = wholeCharacters(text);
  if (!isValidUtf8(characters)) return Fit::No;
  if (characters.size() < text.size()) {
    const auto next = charactersBeginning(text.substr(characters.size()), pattern_);
    const bool goesOn = std::ranges::any_of(next, [&](const std::string& character) {
      return fitOf(std::string(characters) + character) != Fit::No;
    });
    return goesOn ? Fit::SoFar : Fit::No;
  }
  const pcre2_code* code = codeOf(whole_);
  const int found = pcre2_match(code, bytesOf(text), text.size(), 0, PCRE2_PARTIAL_SOFT, room(), nullptr);
  if (found >= 0) return Fit::Whole;
  return text.empty() || found == PCRE2_ERROR_PARTIAL ? Fit::SoFar : Fit::No;
}

}  // namespace glassformer
