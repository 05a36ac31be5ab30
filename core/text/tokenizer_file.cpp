#include "core/text/tokenizer_file.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "core/text/utf8.h"

namespace glassformer {
namespace {

using FileJson = nlohmann::json;

constexpr const char* getAgain = "the file is damaged or of another kind; get it again";
constexpr std::int64_t mostIds = std::int64_t{1} << 22;  // sixteen times the largest vocabulary that is met

Result<std::pair<AddedToken, std::string>> readAdded(const FileJson& entry, const std::string& where) {
  JsonFields fields(entry, where);
  AddedToken token;
  const std::string content = fields.text("content", "");
  if (content.empty()) fields.refuse("content", "is empty or missing", getAgain);
  const FileJson& id = fields.any("id");
  if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= mostIds)
    fields.refuse("id", "of " + inQuotes(content) + " is " + shownJson(id) + ", not an id", getAgain);
  else
    token.id = id.get<int>();
  token.special = fields.flag("special", true);
  token.spaceBefore = fields.flag("lstrip", false), token.spaceBehind = fields.flag("rstrip", false);
  token.singleWord = fields.flag("single_word", false), token.normalized = fields.flag("normalized", false);
  if (Status status = fields.done(); !status) return status.error();
  return std::pair(token, content);
}

// Files of 2020 do not name the type of their model, and it is told by a field that no other model has.
std::string typeOfModel(JsonFields& model) {
  const bool isWordPiece = model.has("max_input_chars_per_word"), isUnigram = model.has("unk_id");
  return model.text("type", isWordPiece ? "WordPiece" : isUnigram ? "Unigram" : "BPE");
}

/// Puts tokens at their ids.
class TokenList {
 public:
  TokenList(std::string where, std::size_t count) : where_(std::move(where)) { tokens_.reserve(count); }

  Status put(const std::string& token, const FileJson& id) {
    if (!id.is_number_integer())
      return Error{"the id of " + inQuotes(token) + " is not a whole number: " + shownJson(id), where_,
                   getAgain};
    const auto value = id.get<std::int64_t>();
    if (value < 0 || value >= mostIds)
      return Error{"the id " + id.dump() + " of " + inQuotes(token) + " is none of 0 to " +
                       std::to_string(mostIds - 1),
                   where_, getAgain};
    return put(token, static_cast<std::size_t>(value));
  }
  Status put(const std::string& token, std::size_t id) {
    if (id >= tokens_.size()) tokens_.resize(id + 1);
    std::string& place = tokens_[id];
    if (!place.empty() && place != token)
      return Error{
          "the id " + std::to_string(id) + " belongs to both " + inQuotes(place) + " and " + inQuotes(token),
          where_, getAgain};
    place = token;
    return success();
  }
  std::vector<std::string> take() { return std::move(tokens_); }

 private:
  std::string where_;
  std::vector<std::string> tokens_;
};

Result<TokenList> listedTokens(const ListedTokens& vocabulary, const std::string& where) {
  TokenList tokens(where, vocabulary.size());
  for (const auto& [token, id] : vocabulary)
    if (Status status = tokens.put(token, id); !status) return status.error();
  return tokens;
}

// What other files say of its tokens. Returns those that end a text.
std::vector<int> addBeside(TokenizerFile& file, const TokensBeside& extra) {
  const auto isAdded = [&](const std::string& token) {
    return std::ranges::find(file.added, token, &std::pair<AddedToken, std::string>::second) !=
           file.added.end();
  };
  for (const auto& [token, content] : extra.added)
    if (!isAdded(content)) file.added.emplace_back(token, content);
  const bool needsEnd = extra.ends.empty() && !extra.end.empty();
  std::vector<int> ends = extra.ends;
  for (const auto& [token, content] : file.added)
    if (needsEnd && content == extra.end) ends = {token.id};
  const std::set<std::string> named(extra.special.begin(), extra.special.end());
  for (const auto& [token, id] : file.vocabulary) {  // looked through once
    if (!named.contains(token) || !id.is_number_integer() || isAdded(token)) continue;
    const auto value = id.get<std::int64_t>();
    if (value < 0 || value >= mostIds) continue;  // refused where the vocabulary is read
    file.added.emplace_back(AddedToken{.id = static_cast<int>(value)}, token);
    if (needsEnd && token == extra.end) ends = {static_cast<int>(value)};
  }
  return ends;
}

}  // namespace

Result<TokenizerFile> TokenizerFile::read(TokenizerJson& json, std::string_view name,
                                          const TokensBeside& extra) {
  JsonFields file(json.file, std::string(name));
  // The window has its own context, and texts are not filled up to one length.
  file.changeNothing({"version", "truncation", "padding"});
  for (const char* step : {"normalizer", "pre_tokenizer", "post_processor", "decoder"}) file.any(step);
  const FileJson &model = file.any("model"), &added = file.any("added_tokens");
  if (!model.is_object()) file.refuse("model", model.is_null() ? "is missing" : "is not an object", getAgain);
  if (!added.is_null() && !added.is_array()) file.refuse("added_tokens", "is not a list", getAgain);
  if (Status status = file.done(); !status) return status.error();
  auto pipeline = TextPipeline::read(json.file, name);
  if (!pipeline) return pipeline.error();
  if (extra.start) pipeline->signs.start = *extra.start;
  if (extra.close) pipeline->signs.close = *extra.close;
  TokenizerFile made{
      "", std::move(json.vocabulary), std::move(json.merges), JsonFields(model, file.at("model")), nullptr,
      {}};
  made.type = typeOfModel(made.model);
  for (std::size_t i = 0; i < added.size(); ++i) {
    auto token = readAdded(added[i], file.at("added_tokens") + "[" + std::to_string(i) + "]");
    if (!token) return token.error();
    made.added.push_back(*std::move(token));
  }
  pipeline->ends = addBeside(made, extra);
  made.pipeline = std::make_shared<const TextPipeline>(*std::move(pipeline));
  return made;
}

std::vector<AddedToken> TokenizerFile::addedTokens() const {
  std::vector<AddedToken> tokens;
  for (const auto& [token, content] : added)
    if (std::ranges::find(tokens, token.id, &AddedToken::id) == tokens.end()) tokens.push_back(token);
  return tokens;
}

Result<std::vector<std::string>> tokensById(const FileJson& vocabulary, const std::string& where) {
  if (!vocabulary.is_object()) return Error{"is not an object from token to id", where, getAgain};
  ListedTokens listed;
  for (const auto& [token, id] : vocabulary.items()) listed.emplace_back(token, id);
  auto tokens = listedTokens(listed, where);
  if (!tokens) return tokens.error();
  return tokens->take();
}

Result<std::vector<std::string>> tokensById(TokenizerFile& file) {
  const std::string where = file.model.at("vocab");
  if (!file.model.any("vocab").is_object())
    return Error{"is not an object from token to id", where, getAgain};
  std::map<std::string, const FileJson*> known;  // of those that are added
  for (const auto& [token, content] : file.added) known[content] = nullptr;
  for (const auto& [token, id] : file.vocabulary)
    if (const auto found = known.find(token); found != known.end()) found->second = &id;
  auto tokens = listedTokens(file.vocabulary, where);
  if (!tokens) return tokens.error();
  for (const auto& [token, content] : file.added) {
    if (const FileJson* id = known[content]; id && *id != token.id)
      return Error{inQuotes(content) + " has the ids " + shownJson(*id) + " and " + std::to_string(token.id),
                   where, getAgain};
    if (Status status = tokens->put(content, static_cast<std::size_t>(token.id)); !status)
      return status.error();
  }
  return tokens->take();
}

nlohmann::ordered_json vocabularyJson(const Tokenizer& tokenizer) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::object();
  auto& members = entries.get_ref<nlohmann::ordered_json::object_t&>();
  // The lookup of an ordered object is linear; tokens are unique, so append without one.
  for (int id = 0; id < tokenizer.vocabularySize(); ++id)
    if (!tokenizer.written(id).empty()) members.emplace_back(tokenizer.written(id), id);
  return entries;
}

}  // namespace glassformer
