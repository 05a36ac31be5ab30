#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// Every kind of tokenizer, in the order in which a file is offered to them.
std::span<const TokenizerKind* const> tokenizers();
/// Null where there is none.
const TokenizerKind* findTokenizer(std::string_view id);

/// Reads a tokenizer.json as the first kind that calls it its own; `name` is the file's, for messages.
/// Refuses a file that no kind knows, what a kind refuses, and every step or field that is not known.
Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, std::string_view name);
std::string writeTokenizerJson(const Tokenizer& tokenizer);

}  // namespace glassformer
