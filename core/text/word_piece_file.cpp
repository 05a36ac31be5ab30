#include "core/text/word_piece_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/added_tokens_file.h"
#include "core/text/json_text.h"
#include "core/text/signs_file.h"
#include "core/text/utf8.h"
#include "core/text/word_level_file.h"

namespace glassformer {
namespace {

using PieceJson = nlohmann::json;
using OrderedPieceJson = nlohmann::ordered_json;

std::string pieceField(std::string_view name, const std::string& field) {
  return std::string(name) + ", " + field;
}

PieceJson member(const PieceJson& object, const char* name) {
  return object.is_object() ? object.value(name, PieceJson()) : PieceJson();
}

/// Takes what a tokenizer.json says beside its vocabulary, and keeps the first complaint.
class WordPieceReader {
 public:
  WordPieceReader(const PieceJson& file, std::string_view name) : file_(file), name_(name) {}

  Result<WordPieceRules> read() {
    takeNormalizer();
    if (member(member(file_, "pre_tokenizer"), "type") != "BertPreTokenizer")
      refuse("pre_tokenizer", "is not BERT's", "word pieces are read that are cut by a BertPreTokenizer");
    const PieceJson &model = file_["model"], decoder = member(file_, "decoder");
    rules_.unknown = text(model, "model.", "unk_token", "[UNK]");
    rules_.inside = text(model, "model.", "continuing_subword_prefix", "##");
    if (rules_.inside.empty())
      refuse("model.continuing_subword_prefix", "is empty",
             "what stands inside of a word has to be told from what begins one");
    rules_.longestWord = count(model, "max_input_chars_per_word", 100);
    rules_.tidies = decoder.is_null() || flag(decoder, "decoder.", "cleanup", true);
    rules_.signs = signsIn(member(file_, "post_processor"));
    if (!status_) return status_.error();
    return rules_;
  }

 private:
  void takeNormalizer() {
    const PieceJson step = member(file_, "normalizer");
    BertNormalization& own = rules_.normalization;
    if (step.is_null()) {
      own = {false, false, false, false};
      return;
    }
    if (member(step, "type") != "BertNormalizer")
      return refuse("normalizer", "is not BERT's", "texts would be changed otherwise before they are read");
    own.cleans = flag(step, "normalizer.", "clean_text", true);
    own.parts = flag(step, "normalizer.", "handle_chinese_chars", true);
    own.writesInSmall = flag(step, "normalizer.", "lowercase", true);
    own.removesAccents = flag(step, "normalizer.", "strip_accents", own.writesInSmall);
  }
  bool flag(const PieceJson& group, const char* path, const char* field, bool otherwise) {
    const PieceJson value = member(group, field);
    if (value.is_null() || value.is_boolean()) return value.is_null() ? otherwise : value.get<bool>();
    refuse(std::string(path) + field, "is neither true nor false", "");
    return otherwise;
  }
  std::string text(const PieceJson& group, const char* path, const char* field, const char* otherwise) {
    const PieceJson value = member(group, field);
    if (value.is_null() || value.is_string()) return value.is_null() ? otherwise : value.get<std::string>();
    refuse(std::string(path) + field, "is no text", "");
    return otherwise;
  }
  int count(const PieceJson& group, const char* field, int otherwise) {
    const PieceJson value = member(group, field);
    if (value.is_null()) return otherwise;
    const bool fits = value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() <= 1e9;
    if (fits) return value.get<int>();
    refuse(std::string("model.") + field, "is " + excerpt(value.dump(-1, ' ', true), 40), "");
    return otherwise;
  }
  void refuse(const std::string& field, std::string what, const char* hint) {
    if (status_) status_ = Error{std::move(what), pieceField(name_, field), hint};
  }

  const PieceJson& file_;
  std::string_view name_;
  WordPieceRules rules_;
  Status status_ = success();
};

// Tokens by id, those of the vocabulary and those that are only added.
Result<std::vector<std::string>> tokensOf(const PieceJson& vocabulary, const std::vector<AddedEntry>& added,
                                          std::string_view name) {
  const std::string where = pieceField(name, "model.vocab");
  if (!vocabulary.is_object()) return Error{"is no object from token to id", where, ""};
  PieceJson entries = vocabulary;
  for (const AddedEntry& entry : added) {
    const PieceJson& known = entries.emplace(entry.content, entry.id).first.value();
    if (known != entry.id)
      return Error{inQuotes(entry.content) + " has the ids " + excerpt(known.dump(), 40) + " and " +
                       excerpt(entry.id.dump(), 40),
                   pieceField(name, "added_tokens"), ""};
  }
  return tokensById(entries, where);
}

Result<WordPiece> readWordPiece(const PieceJson& file, std::string_view name) {
  auto rules = WordPieceReader(file, name).read();
  if (!rules) return rules.error();
  const auto entries = readAddedTokens(file, name);
  if (!entries) return entries.error();
  auto tokens = tokensOf(member(file["model"], "vocab"), *entries, name);
  if (!tokens) return tokens.error();
  std::vector<AddedToken> added;
  for (const AddedEntry& entry : *entries) {
    if (entry.normalized)
      return Error{inQuotes(entry.content) + " is looked for in what the normalizer leaves",
                   pieceField(name, "added_tokens"),
                   "only tokens that are recognised as written can be read"};
    added.push_back(entry.token);
    added.back().id = entry.id.get<int>();
  }
  auto made = WordPiece::create(*std::move(tokens), *std::move(rules), std::move(added));
  if (made) return made;
  return Error{made.error().what, pieceField(name, made.error().where), made.error().hint};
}

// What tokenizer_config.json calls a special token: a text, or an object that holds it.
std::string specialName(const PieceJson& settings, const char* field, const char* otherwise) {
  const PieceJson value = member(settings, field);
  const PieceJson name = value.is_object() ? member(value, "content") : value;
  return name.is_string() ? name.get<std::string>() : otherwise;
}

Result<std::vector<std::string>> linesOf(std::string_view text, std::string_view name) {
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
  return tokens;
}

}  // namespace

bool isWordPieceModel(const PieceJson& file) {
  const PieceJson model = member(file, "model"), type = member(model, "type");
  if (!type.is_null()) return type == "WordPiece";
  return model.is_object() && model.contains("max_input_chars_per_word");
}

Result<std::shared_ptr<const Tokenizer>> readWordPieceFile(std::string_view json, std::string_view name) {
  const auto file = parseJson(json, name);
  if (!file) return file.error();
  if (!isWordPieceModel(*file)) return std::shared_ptr<const Tokenizer>();
  auto tokenizer = readWordPiece(*file, name);
  if (!tokenizer) return tokenizer.error();
  return std::shared_ptr<const Tokenizer>(std::make_shared<const WordPiece>(*std::move(tokenizer)));
}

Result<WordPiece> parseVocabText(std::string_view text, std::string_view settingsText,
                                 std::string_view textName, std::string_view settingsName) {
  const auto settings = parseJson(settingsText.empty() ? "{}" : settingsText, settingsName);
  if (!settings) return settings.error();
  if (member(*settings, "do_basic_tokenize") == false)
    return Error{"is false; only texts that are cut as BERT does can be read",
                 pieceField(settingsName, "do_basic_tokenize"), ""};
  auto tokens = linesOf(text, textName);
  if (!tokens) return tokens.error();
  const auto flag = [&](const char* field, bool otherwise) {
    const PieceJson value = member(*settings, field);
    return value.is_boolean() ? value.get<bool>() : otherwise;
  };
  WordPieceRules rules;
  rules.normalization.writesInSmall = flag("do_lower_case", true);
  rules.normalization.removesAccents = flag("strip_accents", rules.normalization.writesInSmall);
  rules.normalization.parts = flag("tokenize_chinese_chars", true);
  rules.unknown = specialName(*settings, "unk_token", "[UNK]");
  rules.signs = {specialName(*settings, "cls_token", "[CLS]"), specialName(*settings, "sep_token", "[SEP]")};
  std::vector<AddedToken> added;
  for (const std::string& special :
       {specialName(*settings, "pad_token", "[PAD]"), rules.unknown, rules.signs.start, rules.signs.close,
        specialName(*settings, "mask_token", "[MASK]")})
    if (const auto found = std::ranges::find(*tokens, special); found != tokens->end())
      added.push_back({.id = static_cast<int>(found - tokens->begin())});
  auto made = WordPiece::create(*std::move(tokens), std::move(rules), std::move(added));
  if (made) return made;
  return Error{made.error().what, pieceField(textName, made.error().where), made.error().hint};
}

std::string writeWordPieceFile(const WordPiece& tokenizer) {
  const WordPieceRules& rules = tokenizer.rules();
  OrderedPieceJson vocabulary = OrderedPieceJson::object();
  for (int id = 0; id < tokenizer.vocabularySize(); ++id)
    // The lookup of an ordered object is linear; tokens are unique, so append without one.
    vocabulary.get_ref<OrderedPieceJson::object_t&>().emplace_back(tokenizer.tokenBytes(id), id);
  const OrderedPieceJson file = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", addedTokensJson(tokenizer)},
      {"normalizer",
       {{"type", "BertNormalizer"},
        {"clean_text", rules.normalization.cleans},
        {"handle_chinese_chars", rules.normalization.parts},
        {"strip_accents", rules.normalization.removesAccents},
        {"lowercase", rules.normalization.writesInSmall}}},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"post_processor", templateOf(tokenizer)},
      {"decoder", {{"type", "WordPiece"}, {"prefix", rules.inside}, {"cleanup", rules.tidies}}},
      {"model",
       {{"type", "WordPiece"},
        {"unk_token", rules.unknown},
        {"continuing_subword_prefix", rules.inside},
        {"max_input_chars_per_word", rules.longestWord},
        {"vocab", vocabulary}}}};
  return file.dump(1, ' ');
}

}  // namespace glassformer
