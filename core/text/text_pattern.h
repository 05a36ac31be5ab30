#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/result.h"
#include "core/text/cut_text.h"

namespace glassformer {

/// What a tokenizer.json looks for in texts: {"String": "▁"} or {"Regex": "\\s+"}. Matches do not overlap. An
/// expression that takes too long finds nothing from there on. Refuses, with the place, what is neither.
Result<TextMatcher> textPatternOf(const nlohmann::json& pattern, const std::string& where);

/// All matches of an expression of Oniguruma. A byte that is no character is one sign that is no letter.
Result<TextMatcher> expressionMatcher(const std::string& expression, const std::string& where);

/// All places where a text is written out.
TextMatcher literalMatcher(std::string literal);

}  // namespace glassformer
