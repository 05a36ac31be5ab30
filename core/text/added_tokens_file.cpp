#include "core/text/added_tokens_file.h"

namespace glassformer {

Result<std::vector<AddedEntry>> readAddedTokens(const nlohmann::json& file, std::string_view name) {
  constexpr const char* again = "the file is damaged or of another kind; get it again";
  std::vector<AddedEntry> entries;
  if (!file.contains("added_tokens")) return entries;
  const std::string where = std::string(name) + ", added_tokens";
  if (!file["added_tokens"].is_array()) return Error{"not a list", where, again};
  for (const nlohmann::json& entry : file["added_tokens"]) {
    if (!entry.is_object() || !entry.contains("content") || !entry.contains("id"))
      return Error{"an entry without \"content\" or \"id\"", where, again};
    if (!entry["content"].is_string() || entry["content"].get_ref<const std::string&>().empty())
      return Error{"the added token " + entry["content"].dump(-1, ' ', true) + " cannot be read", where,
                   again};
    const auto flag = [&](const char* field, bool otherwise = false) {
      return entry.value(field, nlohmann::json(otherwise)) == true;
    };
    entries.push_back({entry["content"].get<std::string>(),
                       entry["id"],
                       {0, flag("special", true), flag("lstrip"), flag("rstrip"), flag("single_word")},
                       flag("normalized")});
  }
  return entries;
}

nlohmann::ordered_json addedTokensJson(const Tokenizer& tokenizer) {
  nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
  for (const AddedToken& token : tokenizer.added())
    tokens.push_back({{"id", token.id},
                      {"content", tokenizer.tokenBytes(token.id)},
                      {"single_word", token.singleWord},
                      {"lstrip", token.spaceBefore},
                      {"rstrip", token.spaceBehind},
                      {"normalized", false},
                      {"special", token.special}});
  return tokens;
}

}  // namespace glassformer
