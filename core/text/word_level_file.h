#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// A tokenizer.json whose model is "WordLevel": a vocabulary, and `<unk>` for what is not in it. Which pieces
/// of a text are looked up, says its pre-tokenizer. As Hugging Face's tokenizers library writes it.

/// The tokens by id. Nothing where the file's model is another, or its pre-tokenizer is not `preTokenizer`.
/// Refuses, with file and field: a normalizer, another unk_token than `<unk>`, a vocabulary whose ids have
/// gaps or are no whole numbers.
Result<std::optional<std::vector<std::string>>> readWordLevelFile(std::string_view json,
                                                                  std::string_view name,
                                                                  const nlohmann::json& preTokenizer);

/// The tokens of an object from token to id, by id. Refuses ids with gaps, or that are no whole numbers;
/// `where` names file and field.
Result<std::vector<std::string>> tokensById(const nlohmann::json& vocabulary, const std::string& where);

/// `decoder` is null where decoding is to put spaces between all tokens.
std::string writeWordLevelFile(const Tokenizer& tokenizer, const nlohmann::json& preTokenizer,
                               const nlohmann::json& decoder);

/// Makes a tokenizer of a file's tokens; what its `create` refuses is said of the field model.vocab.
template <typename Kind>
Result<std::shared_ptr<const Tokenizer>> readWordLevel(std::string_view json, std::string_view name,
                                                       const nlohmann::json& preTokenizer) {
  auto tokens = readWordLevelFile(json, name, preTokenizer);
  if (!tokens) return tokens.error();
  if (!*tokens) return std::shared_ptr<const Tokenizer>();
  auto tokenizer = Kind::create(**std::move(tokens));
  if (!tokenizer)
    return Error{tokenizer.error().what, std::string(name) + ", model.vocab", tokenizer.error().hint};
  return std::shared_ptr<const Tokenizer>(std::make_shared<const Kind>(*std::move(tokenizer)));
}

}  // namespace glassformer
