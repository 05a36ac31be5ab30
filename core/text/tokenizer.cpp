#include "core/text/tokenizer.h"

#include <cassert>
#include <utility>

#include "core/text/utf8.h"

namespace glassformer {

Status Tokenizer::setTokens(std::vector<std::string> tokens) {
  tokens_ = std::move(tokens);
  for (int id = 0; id < vocabularySize(); ++id) {
    if (tokenBytes(id).empty())
      return Error{"the token with id " + std::to_string(id) + " is empty", "tokens", ""};
    const auto [place, isNew] = idOfBytes_.try_emplace(tokenBytes(id), id);
    if (!isNew)
      return Error{"the token " + inQuotes(tokenBytes(id)) + " has two ids, " +
                       std::to_string(place->second) + " and " + std::to_string(id),
                   "tokens", ""};
  }
  endOfText_ = find(endOfTextName);
  mask_ = find(maskName);
  return success();
}

Status Tokenizer::setUnknown() {
  unknown_ = find(unknownName);
  if (unknown_ < 0)
    return Error{"there is no token " + inQuotes(unknownName), "tokens",
                 "it stands for what is not in the vocabulary"};
  return success();
}

int Tokenizer::find(std::string_view bytes) const {
  const auto found = idOfBytes_.find(bytes);
  return found == idOfBytes_.end() ? -1 : found->second;
}

std::optional<Token> Tokenizer::nextSpecial(std::string_view text, std::size_t from) const {
  std::optional<Token> next;
  for (const int id : {endOfText_, mask_, unknown_}) {
    const std::size_t at = id < 0 ? std::string_view::npos : text.find(tokenBytes(id), from);
    if (at == std::string_view::npos || (next && static_cast<std::size_t>(next->begin) < at)) continue;
    const bool spaced = takesSpace(id) && at > from && text[at - 1] == ' ';
    next = Token{id, static_cast<int>(spaced ? at - 1 : at), static_cast<int>(at + tokenBytes(id).size())};
  }
  return next;
}

Tokenization Tokenizer::encode(std::string_view text) const {
  Tokenization encoding;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto special = nextSpecial(text, at);
    const std::size_t end = special ? static_cast<std::size_t>(special->begin) : text.size();
    appendTokens(text.substr(at, end - at), at, encoding);
    if (!special) break;
    encoding.push_back(*special);
    at = static_cast<std::size_t>(special->end);
  }
  return encoding;
}

std::vector<int> Tokenizer::encodeIds(std::string_view text) const {
  std::vector<int> ids;
  for (const Token& token : encode(text)) ids.push_back(token.id);
  return ids;
}

std::string Tokenizer::decode(std::span<const int> ids) const {
  std::string text;
  for (int id : ids)
    if (id >= 0 && id < vocabularySize()) text += writtenBehind(id);
  return text;
}

std::string Tokenizer::tokenLabel(int id) const {
  assert(id >= 0 && id < vocabularySize());
  std::string label;
  std::string_view rest = tokenBytes(id);
  if (rest.size() > 1 && rest[0] == ' ' && rest[1] != ' ') label = "·", rest.remove_prefix(1);
  for (char character : visibleText(rest))
    label += character == ' ' ? std::string("␣") : std::string(1, character);
  return label;
}

}  // namespace glassformer
