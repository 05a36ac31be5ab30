#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/json_fields.h"
#include "core/text/text_pipeline.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_json.h"
#include "core/text/tokenizers.h"

namespace glassformer {

/// A tokenizer.json: what every kind of tokenizer has, read; and the fields of its model, which the kind
/// reads. Heavy: include in .cpp files only.
struct TokenizerFile {
  std::string type;  ///< of the model: "BPE"
  ListedTokens vocabulary;
  std::vector<ListedMerge> merges;
  JsonFields model;
  std::shared_ptr<const TextPipeline> pipeline;
  std::vector<std::pair<AddedToken, std::string>> added;  ///< with what each is written as

  /// `json` outlives the file, and gives its lists away; `name` is for messages. Refuses, with file and
  /// field, what is damaged, steps and fields that are not known.
  static Result<TokenizerFile> read(TokenizerJson& json, std::string_view name, const TokensBeside& extra);
  std::vector<AddedToken> addedTokens() const;
};

/// Tokens by their ids, those of model.vocab and those that are only added. An id without a token has an
/// empty one. Refuses what is no object, ids that are no whole numbers or too large, and two tokens with one
/// id.
Result<std::vector<std::string>> tokensById(TokenizerFile& file);
/// The same of an object from token to id; `where` names file and field.
Result<std::vector<std::string>> tokensById(const nlohmann::json& vocabulary, const std::string& where);

/// What `made` is, or its refusal with the field that it is about.
template <typename Kind>
Result<std::shared_ptr<const Tokenizer>> readAs(Result<Kind> made, const JsonFields& model) {
  if (made) return std::shared_ptr<const Tokenizer>(std::make_shared<const Kind>(*std::move(made)));
  return Error{made.error().what, model.at(made.error().where), made.error().hint};
}

/// An object from token to id, as the vocabulary writes them.
nlohmann::ordered_json vocabularyJson(const Tokenizer& tokenizer);

}  // namespace glassformer
