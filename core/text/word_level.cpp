#include "core/text/word_level.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/tokenizer_file.h"
#include "core/text/utf8.h"

namespace glassformer {

Status WordLevel::setAll(std::vector<std::string> tokens, std::shared_ptr<const TextPipeline> pipeline) {
  for (std::size_t id = 0; id < tokens.size(); ++id)
    if (tokens[id].empty())
      return Error{"the token with id " + std::to_string(id) + " is empty", "tokens", ""};
  return setTokens(std::move(tokens), {}, std::move(pipeline), std::string(unknownName));
}

Result<WordLevel> WordLevel::create(std::vector<std::string> tokens, const std::string& unknown,
                                    std::vector<AddedToken> added,
                                    std::shared_ptr<const TextPipeline> pipeline) {
  WordLevel made;
  if (Status status = made.setTokens(std::move(tokens), std::move(added), std::move(pipeline), unknown);
      !status)
    return status.error();
  return made;
}

std::vector<Token> WordLevel::tokensOf(std::string_view word) const {
  const int known = findWritten(word), id = known < 0 ? unknown() : known;
  if (id < 0) return {};
  return {{id, 0, static_cast<int>(word.size())}};
}

const TokenizerKind& WordLevel::kind() const { return wordLevelTokenizer(); }

Result<std::shared_ptr<const Tokenizer>> readWordLevelFile(TokenizerFile& file) {
  if (file.type != "WordLevel") return std::shared_ptr<const Tokenizer>();
  JsonFields& model = file.model;
  std::string unknown = model.text("unk_token", "");
  model.any("vocab");
  if (Status status = model.done(); !status) return status.error();
  auto tokens = tokensById(file);
  if (!tokens) return tokens.error();
  const auto isToken = [&](std::string_view name) {
    return std::ranges::find(*tokens, name) != tokens->end();
  };
  if (unknown.empty() && isToken(Tokenizer::unknownName)) unknown = Tokenizer::unknownName;
  if (!unknown.empty() && !isToken(unknown))
    return Error{"is " + inQuotes(unknown) + ", which is not a token", model.at("unk_token"),
                 "it replaces words outside of the vocabulary"};
  return readAs(WordLevel::create(*std::move(tokens), unknown, file.addedTokens(), file.pipeline), model);
}

Result<std::vector<std::string>> wordsIn(TokenizerFile& file, const TextPipeline& pipeline) {
  using Words = std::vector<std::string>;
  if (file.type != "WordLevel" || !(*file.pipeline == pipeline)) return Words();
  JsonFields& model = file.model;
  if (model.text("unk_token", "") != Tokenizer::unknownName) return Words();
  model.any("vocab");
  if (Status status = model.done(); !status) return status.error();
  return tokensById(file);
}

nlohmann::ordered_json wordLevelModel(const Tokenizer& tokenizer) {
  return {{"type", "WordLevel"},
          {"vocab", vocabularyJson(tokenizer)},
          {"unk_token", tokenizer.unknown() < 0
                            ? nlohmann::ordered_json()
                            : nlohmann::ordered_json(tokenizer.written(tokenizer.unknown()))}};
}

const TokenizerKind& wordLevelTokenizer() {
  static const TokenizerKind kind{"word-level", "Word level", "whole words; other words are unknown",
                                  readWordLevelFile, wordLevelModel};
  return kind;
}

}  // namespace glassformer
