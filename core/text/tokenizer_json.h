#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// Tokens with their ids, as a file lists them; an id may be anything.
using ListedTokens = std::vector<std::pair<std::string, nlohmann::json>>;

/// "a b" or ["a", "b"] of a list of merges.
struct ListedMerge {
  std::string left, right;
  int parts = 0;  ///< 1: `left` is both, parted by a space; 2: a pair; 0: it is neither
};

/// A tokenizer.json, of which the two long lists are kept as they are read: a vocabulary has hundreds of
/// thousands of tokens and as many merges, and a tree of JSON values would take most of the time of opening.
struct TokenizerJson {
  nlohmann::json file;              ///< everything else; of these two fields an empty object and list
  ListedTokens vocabulary;          ///< model.vocab, where it is an object
  std::vector<ListedMerge> merges;  ///< model.merges
};

/// Refuses what is no JSON, with the line; `name` is the file's.
Result<TokenizerJson> parseTokenizerText(std::string_view text, std::string_view name);

}  // namespace glassformer
