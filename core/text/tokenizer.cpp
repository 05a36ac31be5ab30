#include "core/text/tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// What the end of a text and a place to be filled are called, here and elsewhere.
constexpr std::array<std::string_view, 5> endNames{Tokenizer::endOfTextName, "<|end_of_text|>", "</s>",
                                                   "<eos>", "[SEP]"};
constexpr std::array<std::string_view, 3> maskNames{Tokenizer::maskName, "<mask>", "[MASK]"};

bool isWordAt(std::string_view text, std::size_t at) {
  const CodePoint point = codePointAt(text, at);
  if (!point.valid) return false;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(point.value));
  return point.value == '_' || (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
         (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

}  // namespace

Status Tokenizer::setTokens(std::vector<std::string> tokens, std::vector<AddedToken> added,
                            const std::vector<int>& unlisted) {
  tokens_ = std::move(tokens);
  added_ = std::move(added);
  std::ranges::sort(added_, {}, &AddedToken::id);
  const auto isAdded = [&](int id) { return std::ranges::binary_search(added_, id, {}, &AddedToken::id); };
  for (int id = 0; id < vocabularySize(); ++id) {
    if (tokenBytes(id).empty())
      return Error{"the token with id " + std::to_string(id) + " is empty", "tokens", ""};
    if (isAdded(id) || std::ranges::binary_search(unlisted, id)) continue;
    const auto [place, isNew] = idOfBytes_.try_emplace(tokenBytes(id), id);
    if (!isNew)
      return Error{"the token " + inQuotes(tokenBytes(id)) + " has two ids, " +
                       std::to_string(place->second) + " and " + std::to_string(id),
                   "tokens", ""};
  }
  for (const AddedToken& token : added_) idOfBytes_.try_emplace(tokenBytes(token.id), token.id);
  for (const std::string_view name : {endOfTextName, maskName}) add({.id = find(name)});
  const auto named = [&](auto names) {
    for (const std::string_view name : names)
      if (const int id = find(name); isSpecial(id)) return id;
    return -1;
  };
  endOfText_ = named(endNames), mask_ = named(maskNames);
  return success();
}

// Where it is not there yet.
void Tokenizer::add(AddedToken token) {
  const auto place = std::ranges::lower_bound(added_, token.id, {}, &AddedToken::id);
  const bool isThere = place != added_.end() && place->id == token.id;
  if (token.id >= 0 && !isThere) added_.insert(place, token);
}

Status Tokenizer::setSigns(const TextSigns& signs) {
  startOfText_ = signs.start.empty() ? -1 : find(signs.start);
  closeOfText_ = signs.close.empty() ? -1 : find(signs.close);
  for (const auto& [name, id, place] :
       {std::tuple(signs.start, startOfText_, "before"), std::tuple(signs.close, closeOfText_, "behind")})
    if (id < 0 && !name.empty())
      return Error{"there is no token " + inQuotes(name), "post_processor",
                   std::string("it is to stand ") + place + " every text"};
  return success();
}

Status Tokenizer::setUnknown(std::string_view name) {
  unknown_ = find(name);
  add({.id = unknown_});
  if (unknown_ < 0)
    return Error{"there is no token " + inQuotes(name), "tokens",
                 "it stands for what is not in the vocabulary"};
  return success();
}

bool Tokenizer::isSpecial(int id) const {
  const auto found = std::ranges::lower_bound(added_, id, {}, &AddedToken::id);
  return found != added_.end() && found->id == id && found->special;
}

const std::string& Tokenizer::tokenBytes(int id) const {
  static const std::string nothing;
  return id >= 0 && id < vocabularySize() ? tokens_[static_cast<std::size_t>(id)] : nothing;
}

int Tokenizer::find(std::string_view bytes) const {
  const auto found = idOfBytes_.find(bytes);
  return found == idOfBytes_.end() ? -1 : found->second;
}

// The longest one written out at this byte.
const AddedToken* Tokenizer::addedAt(std::string_view text, std::size_t at) const {
  const AddedToken* longest = nullptr;
  for (const AddedToken& token : added_) {
    const std::string& bytes = tokenBytes(token.id);
    if (text[at] != bytes[0] || !text.substr(at).starts_with(bytes)) continue;
    const std::size_t end = at + bytes.size();
    const bool isTouched =
        (at > 0 && isWordAt(text, previousCharacter(text, at))) || (end < text.size() && isWordAt(text, end));
    if (token.singleWord && isTouched) continue;
    if (!longest || bytes.size() > tokenBytes(longest->id).size()) longest = &token;
  }
  return longest;
}

// With the white space that belongs to it; what is before `from` belongs to others.
Token Tokenizer::spaced(std::string_view text, std::size_t from, std::size_t at,
                        const AddedToken& added) const {
  std::size_t begin = at, end = at + tokenBytes(added.id).size();
  if (!added.spaceBefore && takesSpace(added.id) && begin > from && text[begin - 1] == ' ') --begin;
  while (added.spaceBefore && begin > from && isWhiteSpaceAt(text, previousCharacter(text, begin)))
    begin = previousCharacter(text, begin);
  while (added.spaceBehind && end < text.size() && isWhiteSpaceAt(text, end)) end = nextCharacter(text, end);
  return {added.id, static_cast<int>(begin), static_cast<int>(end)};
}

std::optional<Token> Tokenizer::nextAdded(std::string_view text, std::size_t from) const {
  std::array<bool, 256> begins{};
  for (const AddedToken& token : added_) begins[static_cast<unsigned char>(tokenBytes(token.id)[0])] = true;
  for (std::size_t at = from; at < text.size(); ++at)
    if (begins[static_cast<unsigned char>(text[at])])
      if (const AddedToken* token = addedAt(text, at)) return spaced(text, from, at, *token);
  return std::nullopt;
}

Tokenization Tokenizer::encode(std::string_view text) const {
  Tokenization encoding;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto added = nextAdded(text, at);
    const std::size_t end = added ? static_cast<std::size_t>(added->begin) : text.size();
    appendTokens(text.substr(at, end - at), at, encoding);
    if (!added) break;
    encoding.push_back(*added);
    at = static_cast<std::size_t>(added->end);
  }
  if (!encoding.empty()) encoding.front().begin = 0;  // what no token stands for goes with the first
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

Result<std::shared_ptr<const Tokenizer>> Tokenizer::withSources(std::shared_ptr<const Tokenizer>) const {
  return Error{"of the kind " + inQuotes(kind().id) + " cuts sources itself", "tokenizer",
               "only unigrams take another one for sources"};
}

std::string Tokenizer::tokenLabel(int id) const {
  if (tokenBytes(id).empty()) return "#" + std::to_string(id);  // there is room for it, and no token
  return labelOf(tokenBytes(id));
}

std::string labelOf(std::string_view bytes) {
  std::string label;
  if (bytes.size() > 1 && bytes[0] == ' ' && bytes[1] != ' ') label = "·", bytes.remove_prefix(1);
  for (const char character : visibleText(bytes))
    label += character == ' ' ? std::string("␣") : std::string(1, character);
  return label;
}

}  // namespace glassformer
