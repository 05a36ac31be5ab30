#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/text/word_level.h"

namespace glassformer {

/// Every character of the vocabulary, spaces too, is a token. A character is a Unicode code point; a byte
/// that belongs to none counts as one. What is not in the vocabulary is `<unk>`.
///
/// Stored as a "WordLevel" tokenizer.json whose pre-tokenizer splits at every character: {"type": "Split",
/// "pattern": {"Regex": "[\\s\\S]"}, "behavior": "Isolated", "invert": false}; its decoder is "Fuse", which
/// joins tokens without spaces.
class Characters final : public WordLevel {
 public:
  /// `tokens[id]` is the character. Refuses an empty or repeated token, one of several characters that is not
  /// special, and a vocabulary without `<unk>`.
  static Result<Characters> create(std::vector<std::string> tokens);

  const TokenizerKind& kind() const override;

 private:
  Characters() = default;
};

const TokenizerKind& characterTokenizerKind();

}  // namespace glassformer
