#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/text/tokenizer.h"

namespace glassformer {

/// What some tokens of a vocabulary are called, and the numbers of all others ("#42"): enough to read what a
/// model has read elsewhere, where its tokenizer is not at hand. Cuts no texts.
class TokenNames final : public Tokenizer {
 public:
  TokenNames(int vocabulary, const std::map<int, std::string>& names);

  const TokenizerKind& kind() const override;
  static std::string numberOf(int id) { return "#" + std::to_string(id); }

 private:
  std::vector<Token> tokensOf(std::string_view) const override { return {}; }
};

}  // namespace glassformer
