#include "core/text/tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "core/text/piece_symbols.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/text_pipeline.h"
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

bool isAmong(const std::vector<AddedToken>& added, int id) {
  return std::ranges::binary_search(added, id, {}, &AddedToken::id);
}

// As a decoder reads it: added tokens are written as texts have them, also where others are in symbols of
// bytes.
std::string decodable(const Tokenizer& tokenizer, int id) {
  const bool isInBytes = tokenizer.pipeline().spelling == Spelling::Bytes && isAmong(tokenizer.added(), id);
  return isInBytes ? tokenOf(tokenizer.tokenBytes(id), Spelling::Bytes) : tokenizer.written(id);
}

}  // namespace

// A piece that stands for a byte is not found by it: "<0x61>" is not how texts have an "a". Nor are added
// tokens written in symbols of bytes.
Status Tokenizer::setTokens(std::vector<std::string> tokens, std::vector<AddedToken> added,
                            std::shared_ptr<const TextPipeline> pipeline, const std::string& unknown) {
  written_ = std::move(tokens), added_ = std::move(added), pipeline_ = std::move(pipeline);
  std::ranges::sort(added_, {}, &AddedToken::id);
  const Spelling spelling = pipeline_->spelling;
  idOfWritten_.reserve(written_.size()), idOfBytes_.reserve(written_.size());
  tokens_.resize(written_.size());
  for (int id = 0; id < vocabularySize(); ++id) {
    const std::string& token = written_[static_cast<std::size_t>(id)];
    std::string& bytes = tokens_[static_cast<std::size_t>(id)];
    if (token.empty()) continue;
    if (const int first = idOfWritten_.add(id, written_); first >= 0)
      return Error{"the token " + inQuotes(bytesOf(token, spelling)) + " has two ids, " +
                       std::to_string(first) + " and " + std::to_string(id),
                   "tokens", ""};
    const auto byte = spelling == Spelling::Pieces ? byteOfPiece(token) : std::nullopt;
    const bool isInSymbols = spelling != Spelling::Bytes || !isAmong(added_, id);
    bytes = byte ? std::string(1, static_cast<char>(*byte)) : isInSymbols ? bytesOf(token, spelling) : token;
    if (!byte) idOfBytes_.add(id, tokens_);
  }
  if (Status known = unknown.empty() ? success() : setUnknown(unknown); !known) return known;
  add({.id = unknown_});
  setNames();
  return setSigns(pipeline_->signs);
}

void Tokenizer::nameTokens(std::vector<std::string> tokens, std::shared_ptr<const TextPipeline> pipeline) {
  written_ = std::move(tokens), tokens_ = written_, pipeline_ = std::move(pipeline);
}

void Tokenizer::setNames() {
  for (const std::string_view name : {endOfTextName, maskName}) add({.id = find(name)});
  const auto named = [&](auto names) {
    for (const std::string_view name : names)
      if (const int id = find(name); isSpecial(id)) return id;
    return -1;
  };
  endOfText_ = named(endNames), mask_ = named(maskNames);
  const auto exists = [&](int id) { return !written(id).empty(); };
  if (const auto end = std::ranges::find_if(pipeline_->ends, exists); end != pipeline_->ends.end())
    endOfText_ = *end;
  indexAdded();
}

void Tokenizer::indexAdded() {
  addedToTexts_ = {}, addedToNormalized_ = {};
  for (const AddedToken& token : added_)
    if (token.normalized && !pipeline_->normalizer.changesNothing())
      addedToNormalized_.add(pipeline_->normalizer.applied(written(token.id)), token.id);
    else
      addedToTexts_.add(written(token.id), token.id);
}

// Where it is not there yet.
void Tokenizer::add(AddedToken token) {
  const auto place = std::ranges::lower_bound(added_, token.id, {}, &AddedToken::id);
  const bool isThere = place != added_.end() && place->id == token.id;
  if (token.id >= 0 && !isThere) added_.insert(place, token);
}

Status Tokenizer::setSigns(const BosEosTokens& signs) {
  const auto take = [&](const std::vector<std::string>& names, const char* place, std::vector<int>& ids) {
    for (const std::string& name : names) {
      ids.push_back(findWritten(name));
      if (ids.back() < 0)
        return Status(Error{"no token " + inQuotes(name), "post_processor",
                            std::string("it is to stand ") + place + " every text"});
    }
    return success();
  };
  if (Status status = take(signs.start, "before", startTokens_); !status) return status;
  return take(signs.close, "behind", closeTokens_);
}

Status Tokenizer::setUnknown(const std::string& name) {
  unknown_ = findWritten(name);
  if (unknown_ < 0)
    return Error{"no token " + inQuotes(name), "tokens", "it replaces text outside of the vocabulary"};
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

const std::string& Tokenizer::written(int id) const {
  static const std::string nothing;
  return id >= 0 && id < vocabularySize() ? written_[static_cast<std::size_t>(id)] : nothing;
}

int Tokenizer::find(std::string_view bytes) const { return idOfBytes_.find(bytes, tokens_); }

bool Tokenizer::operator==(const Tokenizer& other) const {
  return &kind() == &other.kind() && written_ == other.written_ && added_ == other.added_ &&
         *pipeline_ == *other.pipeline_ && sameRules(other);
}

// No letter or digit touches it, where it has to be a word by itself.
bool Tokenizer::isApart(const AddedToken& token, std::string_view text, std::size_t begin,
                        std::size_t end) const {
  const bool isTouched = (begin > 0 && isWordAt(text, previousCharacter(text, begin))) ||
                         (end < text.size() && isWordAt(text, end));
  return !token.singleWord || !isTouched;
}

// With the white space that belongs to it; what is before `from` belongs to others.
Token Tokenizer::spaced(std::string_view text, std::size_t from, Token found, const AddedToken& added) const {
  auto begin = static_cast<std::size_t>(found.begin), end = static_cast<std::size_t>(found.end);
  if (!added.spaceBefore && takesSpace(added.id) && begin > from && text[begin - 1] == ' ') --begin;
  while (added.spaceBefore && begin > from && isWhiteSpaceAt(text, previousCharacter(text, begin)))
    begin = previousCharacter(text, begin);
  while (added.spaceBehind && end < text.size() && isWhiteSpaceAt(text, end)) end = nextCharacter(text, end);
  return {added.id, static_cast<int>(begin), static_cast<int>(end)};
}

std::optional<Token> Tokenizer::nextAdded(std::string_view text, std::size_t from) const {
  return nextOf(addedToTexts_, text, from);
}

std::optional<Token> Tokenizer::nextOf(const WrittenTexts& texts, std::string_view text,
                                       std::size_t from) const {
  for (std::size_t at = from; !texts.isEmpty() && at < text.size(); ++at) {
    const auto [id, length] = texts.longestAt(text, at);
    if (id < 0) continue;
    const AddedToken& token = *std::ranges::lower_bound(added_, id, {}, &AddedToken::id);
    if (isApart(token, text, at, at + length))
      return spaced(text, from, {id, static_cast<int>(at), static_cast<int>(at + length)}, token);
    at += length - 1;
  }
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

std::vector<TextPart> Tokenizer::partsOf(std::string_view text, bool isStart) const {
  std::vector<TextPart> parts;
  AlignedText normalized{std::string(text)};
  pipeline_->normalizer.apply(normalized);
  const std::string& whole = normalized.text();
  for (std::size_t at = 0; at < whole.size();) {
    const auto added = nextOf(addedToNormalized_, whole, at);
    const std::size_t end = added ? static_cast<std::size_t>(added->begin) : whole.size();
    if (end > at) {
      parts.push_back({CutText(normalized.part(at, end), isStart && at == 0)});
      pipeline_->preTokenizer.apply(parts.back().cut);
    }
    if (!added) break;
    at = static_cast<std::size_t>(added->end);
    parts.push_back({CutText(normalized.part(end, at), false), added->id});
  }
  return parts;
}

void Tokenizer::appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const {
  const auto append = [&](int id, std::size_t end) {
    const int begin = tokens.empty() ? static_cast<int>(offset) : tokens.back().end;
    tokens.push_back({id, begin, std::max(begin, static_cast<int>(offset + end))});
  };
  for (const auto& [cut, added] : partsOf(text, offset == 0)) {
    if (added >= 0) append(added, cut.text.endOf(cut.text.size()));
    if (added >= 0) continue;
    std::unordered_map<std::string_view, std::vector<Token>> known;
    for (const TextRange piece : cut.pieces) {
      const auto [entry, isNew] = known.try_emplace(cut.bytesOf(piece));
      if (isNew) entry->second = tokensOf(entry->first);
      for (const Token& token : entry->second)
        append(token.id, cut.text.endOf(piece.begin + static_cast<std::size_t>(token.end)));
    }
  }
  if (!tokens.empty()) tokens.back().end = static_cast<int>(offset + text.size());
}

std::vector<int> Tokenizer::encodeIds(std::string_view text) const {
  std::vector<int> ids;
  for (const Token& token : encode(text)) ids.push_back(token.id);
  return ids;
}

// A piece that stands for a byte is written as this, though the decoder may have no step for it.
bool Tokenizer::isBytePiece(int id) const {
  return pipeline_->spelling == Spelling::Pieces && tokenBytes(id).size() == 1 && written(id).size() == 6;
}

// Without a decoder, tokens that spell their spaces are written as these say, and others with spaces between.
std::string Tokenizer::writtenBehind(int id) const {
  const bool spellsSpaces = pipeline_->spelling != Spelling::Plain;
  if (spellsSpaces && pipeline_->decoder.joinsBySpaces()) return tokenBytes(id);
  return tokenBytes(id).empty()
             ? ""
             : pipeline_->decoder.written(isBytePiece(id) ? tokenBytes(id) : decodable(*this, id), {});
}

std::string Tokenizer::decode(std::span<const int> ids) const {
  std::vector<std::string> tokens;
  const bool isSpelled = pipeline_->spelling != Spelling::Plain && pipeline_->decoder.joinsBySpaces();
  std::string text;
  for (const int id : ids)
    if (isSpelled)
      text += tokenBytes(id);
    else if (!tokenBytes(id).empty())
      tokens.push_back(isBytePiece(id) ? tokenBytes(id) : decodable(*this, id));
  return isSpelled ? text : pipeline_->decoder.decoded(tokens);
}

Result<std::shared_ptr<const Tokenizer>> Tokenizer::withSources(std::shared_ptr<const Tokenizer>) const {
  return Error{"type " + inQuotes(kind().id) + " cuts sources itself", "tokenizer",
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
