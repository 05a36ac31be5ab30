#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// Every kind of tokenizer, in the order in which a file is offered to them.
std::span<const TokenizerKind* const> tokenizers();
/// Null where there is none.
const TokenizerKind* findTokenizer(std::string_view id);

/// Reads a tokenizer.json as the first kind that calls it its own; `name` is the file's, for messages.
/// Refuses a file that no kind knows, what a kind refuses, and every step or field that is not known.
/// `extra`: what other files of a model's folder say of its tokens.
struct TokensBeside {
  std::vector<int> ends;                                ///< that end a text: eos_token_id
  std::vector<std::pair<std::string, int>> added = {};  ///< of added_tokens.json
};
Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, std::string_view name,
                                                           const TokensBeside& extra = {});
std::string writeTokenizerJson(const Tokenizer& tokenizer);

}  // namespace glassformer
