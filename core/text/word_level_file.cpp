#include "core/text/word_level_file.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using WordLevelJson = nlohmann::json;
using WordLevelTokens = std::vector<std::string>;

std::string wordLevelField(std::string_view name, const char* field) {
  return std::string(name) + ", " + field;
}

bool isWordLevel(const WordLevelJson& file, const WordLevelJson& preTokenizer) {
  if (!file.is_object() || !file.contains("model") || !file["model"].is_object()) return false;
  return file["model"].value("type", WordLevelJson()) == "WordLevel" &&
         file.value("pre_tokenizer", WordLevelJson()) == preTokenizer;
}

Status checkWordLevel(const WordLevelJson& file, std::string_view name) {
  if (!file.value("normalizer", WordLevelJson()).is_null())
    return Error{"is set; only tokenizers without one can be read", wordLevelField(name, "normalizer"), ""};
  if (const auto unknown = file["model"].value("unk_token", WordLevelJson());
      unknown != std::string(Tokenizer::unknownName))
    return Error{"is " + unknown.dump(-1, ' ', true) + ", not " + inQuotes(Tokenizer::unknownName),
                 wordLevelField(name, "model.unk_token"), ""};
  if (!file["model"].value("vocab", WordLevelJson()).is_object())
    return Error{"is no object from token to id", wordLevelField(name, "model.vocab"), ""};
  return success();
}

}  // namespace

Result<std::vector<std::string>> tokensById(const nlohmann::json& vocabulary, const std::string& where) {
  std::vector<std::string> tokens(vocabulary.size());
  for (const auto& [token, id] : vocabulary.items()) {
    const bool fits = id.is_number_integer() && id.get<std::int64_t>() >= 0 &&
                      id.get<std::int64_t>() < static_cast<std::int64_t>(tokens.size());
    if (!fits)
      return Error{"the id " + excerpt(id.dump(-1, ' ', true), 40) + " of " + inQuotes(token) +
                       " is none of 0 to " + std::to_string(tokens.size() - 1),
                   where, ""};
    std::string& place = tokens[id.get<std::size_t>()];
    if (!place.empty())
      return Error{"the id " + id.dump() + " belongs to both " + inQuotes(place) + " and " + inQuotes(token),
                   where, ""};
    place = token;
  }
  return tokens;
}

Result<std::optional<WordLevelTokens>> readWordLevelFile(std::string_view json, std::string_view name,
                                                         const WordLevelJson& preTokenizer) {
  const auto file = parseJson(json, name);
  if (!file) return file.error();
  if (!isWordLevel(*file, preTokenizer)) return std::optional<WordLevelTokens>();
  if (Status status = checkWordLevel(*file, name); !status) return status.error();
  auto tokens = tokensById((*file)["model"]["vocab"], wordLevelField(name, "model.vocab"));
  if (!tokens) return tokens.error();
  return std::optional(*std::move(tokens));
}

std::string writeWordLevelFile(const Tokenizer& tokenizer, const WordLevelJson& preTokenizer,
                               const WordLevelJson& decoder) {
  using Ordered = nlohmann::ordered_json;
  Ordered vocabulary = Ordered::object(), added = Ordered::array();
  for (int id = 0; id < tokenizer.vocabularySize(); ++id) {
    // The lookup of an ordered object is linear; ids are unique, so append without one.
    vocabulary.get_ref<Ordered::object_t&>().emplace_back(tokenizer.tokenBytes(id), id);
    if (tokenizer.isSpecial(id))
      added.push_back({{"id", id},
                       {"content", tokenizer.tokenBytes(id)},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", true}});
  }
  const Ordered file = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", added},
      {"normalizer", nullptr},
      {"pre_tokenizer", preTokenizer},
      {"post_processor", nullptr},
      {"decoder", decoder},
      {"model",
       {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", std::string(Tokenizer::unknownName)}}}};
  return file.dump(1, ' ');
}

}  // namespace glassformer
