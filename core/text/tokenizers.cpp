#include "core/text/tokenizers.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/text/byte_pair_encoding.h"
#include "core/text/characters.h"
#include "core/text/json_text.h"
#include "core/text/post_processor.h"
#include "core/text/tokenizer_file.h"
#include "core/text/unigram.h"
#include "core/text/utf8.h"
#include "core/text/word_level.h"
#include "core/text/word_piece.h"
#include "core/text/words.h"

namespace glassformer {
namespace {

using OrderedFile = nlohmann::ordered_json;

OrderedFile addedTokensJson(const Tokenizer& tokenizer) {
  OrderedFile tokens = OrderedFile::array();
  for (const AddedToken& token : tokenizer.added())
    tokens.push_back({{"id", token.id},
                      {"content", tokenizer.written(token.id)},
                      {"single_word", token.singleWord},
                      {"lstrip", token.spaceBefore},
                      {"rstrip", token.spaceBehind},
                      {"normalized", token.normalized},
                      {"special", token.special}});
  return tokens;
}

// As people write steps: what one is, before how.
OrderedFile typeFirst(const OrderedFile& step) {
  if (step.is_array()) {
    OrderedFile steps = OrderedFile::array();
    for (const OrderedFile& one : step) steps.push_back(typeFirst(one));
    return steps;
  }
  if (!step.is_object()) return step;
  OrderedFile first = OrderedFile::object();
  if (step.contains("type")) first["type"] = step["type"];
  for (const auto& [field, value] : step.items())
    if (field != "type") first[field] = typeFirst(value);
  return first;
}

OrderedFile stepJson(const std::string& json) { return typeFirst(OrderedFile::parse(json)); }

}  // namespace

std::span<const TokenizerKind* const> tokenizers() {
  static const std::array all{
      &bytePairTokenizer(), &wordPieceTokenizer(),     &unigramTokenizer(),
      &wordTokenizer(),     &characterTokenizerKind(), &wordLevelTokenizer(),
  };
  return all;
}

const TokenizerKind* findTokenizer(std::string_view id) {
  for (const TokenizerKind* kind : tokenizers())
    if (kind->id == id) return kind;
  return nullptr;
}

Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, std::string_view name,
                                                           const TokensBeside& extra) {
  auto parsed = parseTokenizerText(json, name);
  if (!parsed) return parsed.error();
  auto file = TokenizerFile::read(*parsed, name, extra);
  if (!file) return file.error();
  std::string known;
  for (const TokenizerKind* kind : tokenizers()) {
    auto tokenizer = kind->read(*file);
    if (!tokenizer || *tokenizer) return tokenizer;
    known += (known.empty() ? "" : ", ") + kind->id;
  }
  return Error{"is a model of the type " + inQuotes(file->type), file->model.at("type"),
               "those known are " + known};
}

std::string writeTokenizerJson(const Tokenizer& tokenizer) {
  const TextPipeline& pipeline = tokenizer.pipeline();
  const OrderedFile file = {{"version", "1.0"},
                            {"truncation", nullptr},
                            {"padding", nullptr},
                            {"added_tokens", addedTokensJson(tokenizer)},
                            {"normalizer", stepJson(pipeline.normalizer.json())},
                            {"pre_tokenizer", stepJson(pipeline.preTokenizer.json())},
                            {"post_processor", templateOf(tokenizer)},
                            {"decoder", stepJson(pipeline.decoder.json())},
                            {"model", tokenizer.kind().writeModel(tokenizer)}};
  return file.dump(1, ' ');
}

}  // namespace glassformer
