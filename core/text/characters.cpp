#include "core/text/characters.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/utf8.h"
#include "core/text/word_level_file.h"

namespace glassformer {

namespace {

const nlohmann::json& characterSplitter() {
  static const nlohmann::json splitter = {
      {"type", "Split"}, {"pattern", {{"Regex", "[\\s\\S]"}}}, {"behavior", "Isolated"}, {"invert", false}};
  return splitter;
}

}  // namespace

Result<Characters> Characters::create(std::vector<std::string> tokens) {
  Characters characters;
  if (Status status = characters.setTokens(std::move(tokens)); !status) return status.error();
  if (Status status = characters.setUnknown(); !status) return status.error();
  for (int id = 0; id < characters.vocabularySize(); ++id) {
    const std::string& token = characters.tokenBytes(id);
    if (!characters.isSpecial(id) && nextCharacter(token, 0) != token.size())
      return Error{"the token " + inQuotes(token) + " is more than one character", "tokens", ""};
  }
  return characters;
}

const TokenizerKind& Characters::kind() const { return characterTokenizerKind(); }

void Characters::appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = nextCharacter(text, at);
    const int id = find(text.substr(at, end - at));
    tokens.push_back(
        {id < 0 ? unknown() : id, static_cast<int>(offset + at), static_cast<int>(offset + end)});
    at = end;
  }
}

const TokenizerKind& characterTokenizerKind() {
  static const TokenizerKind kind{
      "characters", "Characters", "single characters; what is not in the vocabulary is <unk>",
      [](std::string_view json, std::string_view name) {
        return readWordLevel<Characters>(json, name, characterSplitter());
      },
      [](const Tokenizer& characters) {
        return writeWordLevelFile(characters, characterSplitter(), {{"type", "Fuse"}});
      }};
  return kind;
}

}  // namespace glassformer
