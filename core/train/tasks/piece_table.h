#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// Encodes texts of a small corpus faster than its tokenizer, with the same result: the tokens of the words
/// that a sample of the corpus has are looked up, only others are put together.
class PieceTable {
 public:
  PieceTable(const Tokenizer& tokenizer, std::string_view sample);

  /// The tokenizer's encodeIds(text) for a text without special tokens.
  std::vector<int> encodeIds(std::string_view text) const;

 private:
  const Tokenizer& tokenizer_;
  std::string sample_;  // the table's words point into it
  std::unordered_map<std::string_view, std::vector<int>> tokens_;
};

}  // namespace glassformer
