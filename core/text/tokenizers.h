#pragma once
#include <memory>
#include <optional>
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
  std::vector<int> ends;  ///< that end a text: eos_token_id
  std::vector<std::pair<AddedToken, std::string>> added =
      {};                                 ///< where the tokenizer's file has none of them
  std::vector<std::string> special = {};  ///< that are no part of a text, where the vocabulary has them
  std::string begin = {},
              end = {};  ///< bos_token and eos_token; that one ends a text where `ends` names none
  /// What stands before every text and behind it, in place of what the tokenizer's file says.
  std::optional<std::vector<std::string>> start = {}, close = {};
};
Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, std::string_view name,
                                                           const TokensBeside& extra = {});
std::string writeTokenizerJson(const Tokenizer& tokenizer);

}  // namespace glassformer
