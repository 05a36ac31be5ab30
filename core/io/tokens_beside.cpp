#include "core/io/tokens_beside.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/files.h"
#include "core/text/json_fields.h"
#include "core/text/json_text.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using BesideJson = nlohmann::json;

constexpr int mostTokenIds = 1 << 22;
constexpr std::array namedTokens{"bos_token", "eos_token", "unk_token", "sep_token",
                                 "pad_token", "cls_token", "mask_token"};
// They put their own signs around a text, whatever tokenizer.json says.
constexpr std::array makeSigns{"LlamaTokenizer",     "LlamaTokenizerFast",     "GemmaTokenizer",
                               "GemmaTokenizerFast", "CodeLlamaTokenizerFast", "CodeLlamaTokenizer"};

std::string contentOf(const BesideJson& token) {
  const BesideJson content = token.is_object() ? token.value("content", BesideJson()) : token;
  return content.is_string() ? content.get<std::string>() : "";
}

/// Reads the files one after the other, and keeps the first complaint.
class BesideReader {
 public:
  BesideReader(std::filesystem::path folder, const FamilyConfig& family)
      : folder_(std::move(folder)), beside_{family.ends} {}

  Result<TokensBeside> read(bool isWhole) {
    const BesideJson config = object("tokenizer_config.json"), named = object("special_tokens_map.json");
    for (const BesideJson* file : {&config, &named}) takeNames(*file);
    const BesideJson listed = config.value("added_tokens_decoder", BesideJson());
    if (listed.is_object())
      takeListed(listed);
    else
      takeAdded(object("added_tokens.json"));
    const std::string ofClass = contentOf(config.value("tokenizer_class", BesideJson()));
    if (!isWhole || std::ranges::find(makeSigns, ofClass) != makeSigns.end()) takeSigns(config);
    if (!status_) return status_.error();
    return std::move(beside_);
  }

 private:
  BesideJson object(const char* file) {
    auto read = readObjectFile(folder_ / file);
    if (!read && status_) status_ = read.error();
    return read ? *std::move(read) : BesideJson(BesideJson::object());
  }

  // The first file that names one wins.
  void takeNames(const BesideJson& file) {
    const auto add = [&](const std::string& name) {
      if (!name.empty() && !isSpecial(name)) beside_.special.push_back(name);
    };
    for (const char* field : namedTokens) add(contentOfToken(file, field));
    const BesideJson more = file.value("additional_special_tokens", BesideJson());
    if (more.is_array())
      for (const BesideJson& token : more) add(contentOf(token));
    if (beside_.end.empty()) beside_.end = contentOfToken(file, "eos_token");
    if (beside_.begin.empty()) beside_.begin = contentOfToken(file, "bos_token");
  }
  bool isSpecial(const std::string& name) const {
    return std::ranges::find(beside_.special, name) != beside_.special.end();
  }

  // {"<speaker>": 262}
  void takeAdded(const BesideJson& file) {
    for (const auto& [token, id] : file.items()) {
      if (token.empty() || !id.is_number_integer() || id < 0 || id >= mostTokenIds)
        return refuse("added_tokens.json",
                      "the id of " + inQuotes(token) + " is " + id.dump() + ", not an id");
      beside_.added.emplace_back(AddedToken{.id = id.get<int>(), .special = isSpecial(token)}, token);
    }
  }
  // {"262": {"content": "<speaker>", "special": true, ...}}
  void takeListed(const BesideJson& listed) {
    for (const auto& [id, entry] : listed.items()) {
      const bool isId = !id.empty() && id.size() <= 7 && id.find_first_not_of("0123456789") == id.npos;
      const std::string where = "tokenizer_config.json, added_tokens_decoder." + id;
      if (!isId || std::stoi(id) >= mostTokenIds) return refuse(where, "is not an id");
      JsonFields fields(entry, (folder_ / where).string());
      AddedToken token{.id = std::stoi(id)};
      const std::string content = fields.text("content", "");
      if (content.empty()) fields.refuse("content", "is empty or missing");
      token.special = fields.flag("special", false), token.singleWord = fields.flag("single_word", false);
      token.spaceBefore = fields.flag("lstrip", false), token.spaceBehind = fields.flag("rstrip", false);
      token.normalized = fields.flag("normalized", !token.special);
      fields.changeNothing({"__type"});
      if (Status known = fields.done(); !known && status_) status_ = known;
      beside_.added.emplace_back(token, content);
    }
  }

  void takeSigns(const BesideJson& config) {
    const auto take = [&](const char* field, const std::string& name,
                          std::optional<std::vector<std::string>>& side) {
      const BesideJson adds = config.value(field, BesideJson());
      if (!adds.is_boolean()) return;
      side.emplace();
      if (adds == true && !name.empty()) side->push_back(name);
    };
    take("add_bos_token", beside_.begin, beside_.start), take("add_eos_token", beside_.end, beside_.close);
  }

  void refuse(const std::string& where, std::string what) {
    if (status_) status_ = Error{std::move(what), (folder_ / where).string(), ""};
  }

  std::filesystem::path folder_;
  TokensBeside beside_;
  Status status_ = success();
};

}  // namespace

Result<nlohmann::json> readObjectFile(const std::filesystem::path& path) {
  if (!isThere(path)) return BesideJson(BesideJson::object());
  const auto text = readTextFile(path);
  if (!text) return text.error();
  auto json = parseJson(*text, path.string());
  if (json && !json->is_object()) return Error{"is not a JSON object", path.string(), ""};
  return json;
}

std::string contentOfToken(const nlohmann::json& config, const char* field) {
  return contentOf(config.value(field, BesideJson()));
}

Result<TokensBeside> readTokensBeside(const std::filesystem::path& folder, const FamilyConfig& family,
                                      bool isWhole) {
  return BesideReader(folder, family).read(isWhole);
}

}  // namespace glassformer
