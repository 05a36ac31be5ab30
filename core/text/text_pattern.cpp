#include "core/text/text_pattern.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/json_fields.h"
#include "core/text/oniguruma.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

// The same length in bytes, and valid: a byte that is no character is written as SUBSTITUTE.
std::string validForm(std::string_view text) {
  std::string valid(text);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = codePointAt(text, at);
    if (!point.valid) valid[at] = '\x1A';
    at += static_cast<std::size_t>(point.bytes);
  }
  return valid;
}

// An empty match right behind another is none (as in Hugging Face's tokenizers library).
std::vector<TextRange> matchesIn(const Oniguruma& expression, std::string_view text) {
  std::vector<TextRange> matches;
  for (std::size_t from = 0; from <= text.size();) {
    const auto match = expression.find(text, from);
    if (!match) break;
    const bool isRepeated =
        match->begin == match->end && !matches.empty() && matches.back().end == match->end;
    if (!isRepeated) matches.push_back({match->begin, match->end});
    if (isRepeated && from >= text.size()) break;
    from = isRepeated ? nextCharacter(text, from) : match->end;
  }
  return matches;
}

}  // namespace

TextMatcher literalMatcher(std::string literal) {
  return [literal = std::move(literal)](std::string_view text) {
    std::vector<TextRange> matches;
    if (literal.empty()) return matches;
    for (std::size_t at = text.find(literal); at != text.npos; at = text.find(literal, at + literal.size()))
      matches.push_back({at, at + literal.size()});
    return matches;
  };
}

Result<TextMatcher> expressionMatcher(const std::string& expression, const std::string& where) {
  auto compiled = Oniguruma::compile(expression);
  if (!compiled) return Error{compiled.error().what, where, ""};
  return TextMatcher([expression = *std::move(compiled)](std::string_view text) {
    return isValidUtf8(text) ? matchesIn(expression, text) : matchesIn(expression, validForm(text));
  });
}

Result<TextMatcher> textPatternOf(const nlohmann::json& pattern, const std::string& where) {
  JsonFields fields(pattern, where);
  const std::string expression = fields.text("Regex", ""), literal = fields.text("String", "");
  if (fields.has("Regex") == fields.has("String"))
    fields.refuse("", "is neither {\"String\": …} nor {\"Regex\": …}");
  if (const Status status = fields.done(); !status) return status.error();
  if (fields.has("Regex")) return expressionMatcher(expression, where);
  return literalMatcher(literal);
}

}  // namespace glassformer
