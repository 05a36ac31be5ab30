#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// An entry of `added_tokens` in a tokenizer.json: a token that is recognised where it is written out. Some
/// list it in the vocabulary, too, others only here.
struct AddedEntry {
  std::string content;
  nlohmann::json id;
  AddedToken token;         ///< its id is not filled in yet
  bool normalized = false;  ///< looked for in the text as the normalizer leaves it
};

/// None where the file has no such list; `name` is the file's, for messages. Refuses what is no list, and
/// entries without content or id. Heavy: include in .cpp files only.
Result<std::vector<AddedEntry>> readAddedTokens(const nlohmann::json& file, std::string_view name);

/// The same list of a tokenizer.
nlohmann::ordered_json addedTokensJson(const Tokenizer& tokenizer);

}  // namespace glassformer
