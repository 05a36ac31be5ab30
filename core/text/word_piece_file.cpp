#include "core/text/word_piece_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "core/text/json_text.h"
#include "core/text/tokenizer_file.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using PieceJson = nlohmann::json;

std::string atPieceField(std::string_view name, const std::string& field) {
  return std::string(name) + ", " + field;
}

PieceJson member(const PieceJson& object, const char* name) {
  return object.is_object() ? object.value(name, PieceJson()) : PieceJson();
}

// What tokenizer_config.json calls a special token: a text, or an object that holds it.
std::string specialName(const PieceJson& settings, const char* field, const char* otherwise) {
  const PieceJson value = member(settings, field);
  const PieceJson name = value.is_object() ? member(value, "content") : value;
  return name.is_string() ? name.get<std::string>() : otherwise;
}

}  // namespace

Result<std::vector<std::string>> tokenLines(std::string_view text, std::string_view name) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty())
      return Error{"is empty, where there is to be a token",
                   std::string(name) + ", line " + std::to_string(tokens.size() + 1),
                   "the file is damaged or of another kind; get it again"};
    tokens.emplace_back(line);
  }
  std::unordered_map<std::string, std::size_t> last;  // ids of repeated lines but the last are no token's
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const auto [place, isNew] = last.try_emplace(tokens[id], id);
    if (!isNew) tokens[std::exchange(place->second, id)].clear();
  }
  return tokens;
}

Result<std::shared_ptr<const Tokenizer>> readWordPieceFile(TokenizerFile& file) {
  if (file.type != "WordPiece") return std::shared_ptr<const Tokenizer>();
  JsonFields& model = file.model;
  WordPieceRules rules;
  rules.unknown = model.text("unk_token", rules.unknown);
  rules.inside = model.text("continuing_subword_prefix", rules.inside);
  rules.longestWord = model.count("max_input_chars_per_word", rules.longestWord);
  if (rules.inside.empty())
    model.refuse("continuing_subword_prefix", "is empty",
                 "pieces inside of a word need a prefix of their own");
  model.any("vocab");
  if (Status status = model.done(); !status) return status.error();
  auto tokens = tokensById(file);
  if (!tokens) return tokens.error();
  return readAs(WordPiece::create(*std::move(tokens), std::move(rules), file.addedTokens(), file.pipeline),
                model);
}

nlohmann::ordered_json wordPieceModel(const Tokenizer& tokenizer) {
  const WordPieceRules& rules = static_cast<const WordPiece&>(tokenizer).rules();
  return {{"type", "WordPiece"},
          {"unk_token", rules.unknown},
          {"continuing_subword_prefix", rules.inside},
          {"max_input_chars_per_word", rules.longestWord},
          {"vocab", vocabularyJson(tokenizer)}};
}

Result<WordPiece> parseVocabText(std::string_view text, std::string_view settingsText,
                                 std::string_view textName, std::string_view settingsName) {
  const auto settings = parseJson(settingsText.empty() ? "{}" : settingsText, settingsName);
  if (!settings) return settings.error();
  if (member(*settings, "do_basic_tokenize") == false)
    return Error{"is false; only texts that are cut as BERT does can be read",
                 atPieceField(settingsName, "do_basic_tokenize"), ""};
  auto tokens = tokenLines(text, textName);
  if (!tokens) return tokens.error();
  const auto flag = [&](const char* field, bool otherwise) {
    const PieceJson value = member(*settings, field);
    return value.is_boolean() ? value.get<bool>() : otherwise;
  };
  BertNormalization normalization;
  normalization.writesInSmall = flag("do_lower_case", true);
  normalization.removesAccents = flag("strip_accents", normalization.writesInSmall);
  normalization.parts = flag("tokenize_chinese_chars", true);
  WordPieceRules rules;
  rules.unknown = specialName(*settings, "unk_token", "[UNK]");
  const std::string start = specialName(*settings, "cls_token", "[CLS]"),
                    close = specialName(*settings, "sep_token", "[SEP]");
  std::vector<AddedToken> added;
  for (const std::string& special : {specialName(*settings, "pad_token", "[PAD]"), rules.unknown, start,
                                     close, specialName(*settings, "mask_token", "[MASK]")})
    if (const auto found = std::ranges::find(*tokens, special); found != tokens->end())
      added.push_back({.id = static_cast<int>(found - tokens->begin())});
  auto made = WordPiece::create(*std::move(tokens), std::move(rules), std::move(added),
                                bertPipeline(normalization, {{start}, {close}}));
  if (made) return made;
  return Error{made.error().what, atPieceField(textName, made.error().where), made.error().hint};
}

}  // namespace glassformer
