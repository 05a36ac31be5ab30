#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// A vocabulary of whole words, and a token for what is not in it; without one such words are left out. What
/// a word is, says the pipeline.
class WordLevel : public Tokenizer {
 public:
  /// `tokens[id]` is the word. Refuses a repeated token, and a vocabulary without the unknown one, where one
  /// is named.
  static Result<WordLevel> create(std::vector<std::string> tokens, const std::string& unknown,
                                  std::vector<AddedToken> added,
                                  std::shared_ptr<const TextPipeline> pipeline);

  const TokenizerKind& kind() const override;

 protected:
  WordLevel() = default;
  /// Of our own words and characters: `<unk>` is unknown, and no id without a token.
  Status setAll(std::vector<std::string> tokens, std::shared_ptr<const TextPipeline> pipeline);

 private:
  std::vector<Token> tokensOf(std::string_view word) const override;
};

const TokenizerKind& wordLevelTokenizer();

/// The model "WordLevel" of a tokenizer.json.
Result<std::shared_ptr<const Tokenizer>> readWordLevelFile(TokenizerFile& file);
nlohmann::ordered_json wordLevelModel(const Tokenizer& tokenizer);
/// The words of a file whose pipeline is this one and whose unknown token is `<unk>`; empty where it is
/// another.
Result<std::vector<std::string>> wordsIn(TokenizerFile& file, const TextPipeline& pipeline);

}  // namespace glassformer
