#include "core/text/byte_pair_encoding.h"

#include <algorithm>
#include <iterator>
#include <queue>
#include <utility>

#include "core/text/cut_text.h"
#include "core/text/piece_symbols.h"
#include "core/text/text_pipeline.h"
#include "core/text/utf8.h"

namespace glassformer {

Result<BytePairEncoding> BytePairEncoding::create(const std::vector<std::string>& tokens,
                                                  std::vector<Merge> merges, std::vector<AddedToken> added) {
  static const auto pipeline = std::make_shared<const TextPipeline>(byteLevelPipeline());
  std::vector<std::string> written;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const std::string& bytes = tokens[id];
    if (bytes.empty()) return Error{"the token with id " + std::to_string(id) + " is empty", "tokens", ""};
    written.push_back(isSpecialName(bytes) ? bytes : tokenOf(bytes, Spelling::Bytes));
  }
  return create(std::move(written), std::move(merges), {}, std::move(added), pipeline);
}

Result<BytePairEncoding> BytePairEncoding::create(std::vector<std::string> tokens, std::vector<Merge> merges,
                                                  BytePairRules rules, std::vector<AddedToken> added,
                                                  std::shared_ptr<const TextPipeline> pipeline) {
  BytePairEncoding encoding;
  encoding.merges_ = std::move(merges);
  encoding.rules_ = std::move(rules);
  const auto mask = static_cast<int>(std::ranges::find(tokens, maskName) - tokens.begin());
  const bool isListed = std::ranges::find(added, mask, &AddedToken::id) != added.end();
  if (mask < static_cast<int>(tokens.size()) && !isListed) added.push_back({.id = mask, .spaceBefore = true});
  if (Status status = encoding.setTokens(std::move(tokens), std::move(added), std::move(pipeline)); !status)
    return status.error();
  // Of bytes nothing has to be unknown, and files name what they have not.
  const std::string& unknown = encoding.rules_.unknown;
  const bool isMissing = encoding.findWritten(unknown) < 0,
             isBytes = encoding.pipeline().spelling == Spelling::Bytes;
  if (!unknown.empty() && !(isMissing && isBytes))
    if (Status status = encoding.setUnknown(unknown); !status) return status.error();
  for (int byte = 0; byte < 256; ++byte)
    encoding.byteIds_[byte] = encoding.findWritten(pieceOfByte(static_cast<unsigned char>(byte)));
  if (Status status = encoding.indexMerges(); !status) return status.error();
  return encoding;
}

Status BytePairEncoding::indexMerges() {
  const auto exists = [&](int id) { return !written(id).empty(); };
  mergeOfPair_.reserve(merges_.size());
  mergedIds_.reserve(merges_.size());
  for (int rank = 0; rank < static_cast<int>(merges_.size()); ++rank) {
    const auto [left, right] = merges_[static_cast<std::size_t>(rank)];
    const auto where = [&] { return "merge " + std::to_string(rank); };
    if (!exists(left) || !exists(right))
      return Error{"it joins an id without a token: " + std::to_string(exists(left) ? right : left), where(),
                   ""};
    const bool hasPrefix = written(right).starts_with(rules_.insidePrefix);
    const std::string joined =
        written(left) + written(right).substr(hasPrefix ? rules_.insidePrefix.size() : 0);
    const int id = findWritten(joined);
    if (id < 0)
      return Error{"its result " + inQuotes(bytesOf(joined, pipeline().spelling)) + " is not a token",
                   where(), ""};
    if (!mergeOfPair_.add({left, right}, {rank, id}))
      return Error{
          inQuotes(tokenBytes(left)) + " and " + inQuotes(tokenBytes(right)) + " are merged a second time",
          where(), ""};
    mergedIds_.push_back(id);
  }
  return success();
}

// The bytes of a character without a token, where all of them are tokens.
bool BytePairEncoding::appendBytes(std::string_view written, Token place, std::vector<Token>& units) const {
  const auto idOf = [&](char byte) { return byteIds_[static_cast<unsigned char>(byte)]; };
  if (!rules_.fallsBackToBytes || std::ranges::any_of(written, [&](char byte) { return idOf(byte) < 0; }))
    return false;
  int at = place.begin;
  for (const char byte : written) {
    const int begin = std::exchange(at, std::min(at + 1, place.end));
    units.push_back({idOf(byte), begin, at});
  }
  return true;
}

// Its characters, or their bytes, or what is unknown. They hold places in the word.
std::vector<Token> BytePairEncoding::unitsOf(std::string_view word) const {
  std::vector<Token> units;
  units.reserve(word.size());
  bool wasUnknown = false;
  std::string marked;
  for (std::size_t at = 0, end = 0; at < word.size(); at = end) {
    end = nextCharacter(word, at);
    std::string_view character = word.substr(at, end - at);
    const bool isInside = at > 0 && !rules_.insidePrefix.empty(),
               isLast = end == word.size() && !rules_.endSuffix.empty();
    if (isInside || isLast) {
      marked =
          (isInside ? rules_.insidePrefix : "") + std::string(character) + (isLast ? rules_.endSuffix : "");
      character = marked;
    }
    const Token unit{findWritten(character), static_cast<int>(at), static_cast<int>(end)};
    const bool isKnown = unit.id >= 0 || appendBytes(character, unit, units);
    const bool fuses = std::exchange(wasUnknown, !isKnown) && rules_.fusesUnknown;
    if (unit.id >= 0)
      units.push_back(unit);
    else if (!isKnown && fuses && unknown() >= 0)
      units.back().end = unit.end;
    else if (!isKnown && unknown() >= 0)
      units.push_back({unknown(), unit.begin, unit.end});
  }
  return units;
}

// What merges start from: of a word that is a token as a whole, this.
std::vector<int> BytePairEncoding::unitIds(std::string_view word) const {
  if (isWhole(word)) return {findWritten(word)};
  std::vector<int> ids;
  for (const Token& unit : unitsOf(word)) ids.push_back(unit.id);
  return ids;
}

/// Joins pairs in a word by a queue of candidates, lowest rank first and leftmost first among equals, over a
/// doubly linked list of pieces: n log n, so that a "word" of millions of characters is no trap.
class WordMerger {
 public:
  WordMerger(const MergeTable& merges, std::vector<Token> units)
      : merges_(merges), tokens_(std::move(units)), next_(tokens_.size()), previous_(tokens_.size()) {
    std::vector<Candidate> first;
    for (int i = 0; i < count(); ++i) next_[at(i)] = i + 1, previous_[at(i)] = i - 1;
    for (int i = 0; i < count(); ++i)
      if (const auto* merge = mergeAt(i)) first.push_back(candidate(merge->rank, i));
    candidates_ = Queue(std::greater<>(), std::move(first));
  }

  std::vector<Token> run() {
    while (!candidates_.empty()) {
      const auto [rank, place] = std::pair(static_cast<int>(candidates_.top() >> 32),
                                           static_cast<int>(candidates_.top() & 0xFFFFFFFFu));
      candidates_.pop();
      // Stale where one of the two pieces has been joined to something else meanwhile.
      if (const auto* merge = mergeAt(place); merge && merge->rank == rank) join(place, merge->id);
    }
    std::vector<Token> result;
    for (int i = 0; i < count(); i = next_[at(i)]) result.push_back(tokens_[at(i)]);
    return result;
  }

 private:
  using Candidate = std::uint64_t;  // rank, then place: they are in the order of these numbers
  using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;
  static Candidate candidate(int rank, int place) {
    return (static_cast<Candidate>(rank) << 32) | static_cast<std::uint32_t>(place);
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int count() const { return static_cast<int>(tokens_.size()); }

  // How the piece at `place` is joined to the next; null where it is not, or where there is no piece.
  const RankedMerge* mergeAt(int place) const {
    if (tokens_[at(place)].id < 0 || next_[at(place)] >= count()) return nullptr;
    return merges_.find(tokens_[at(place)].id, tokens_[at(next_[at(place)])].id);
  }
  void propose(int place) {
    if (place < 0) return;
    if (const auto* merge = mergeAt(place)) candidates_.push(candidate(merge->rank, place));
  }
  void join(int place, int id) {
    const int gone = next_[at(place)], after = next_[at(gone)];
    tokens_[at(place)].id = id, tokens_[at(place)].end = tokens_[at(gone)].end;
    tokens_[at(gone)].id = -1;
    next_[at(place)] = after;
    if (after < count()) previous_[at(after)] = place;
    propose(place);
    propose(previous_[at(place)]);
  }

  const MergeTable& merges_;
  std::vector<Token> tokens_;
  std::vector<int> next_, previous_;
  Queue candidates_;
};

std::vector<Token> BytePairEncoding::tokensOf(std::string_view word) const {
  if (isWhole(word)) return {{findWritten(word), 0, static_cast<int>(word.size())}};
  return WordMerger(mergeOfPair_, unitsOf(word)).run();
}

std::vector<TextWord> BytePairEncoding::words(std::string_view text, bool isStart) const {
  const Spelling spelling = pipeline().spelling;
  std::vector<TextWord> words;
  const auto put = [&](std::size_t end, std::string bytes, std::vector<int> units, bool isAdded) {
    const std::size_t begin = words.empty() ? 0 : words.back().end;
    words.push_back({begin, std::max(begin, end), std::move(bytes), std::move(units),
                     spelling != Spelling::Bytes, isAdded});
  };
  for (const auto& [cut, added] : partsOf(text, isStart)) {
    if (added >= 0) put(cut.text.endOf(cut.text.size()), tokenBytes(added), {added}, true);
    for (const TextRange piece : cut.pieces)
      if (const std::string_view word = cut.bytesOf(piece); added < 0)
        put(cut.text.endOf(piece.end), bytesOf(word, spelling), unitIds(word), false);
  }
  if (!words.empty()) words.back().end = text.size();
  return words;
}

bool BytePairEncoding::sameRules(const Tokenizer& other) const {
  const auto& same = static_cast<const BytePairEncoding&>(other);
  return merges_ == same.merges_ && rules_ == same.rules_;
}

void BytePairEncoding::joinAll(std::vector<int>& ids, Merge pair, int id) const {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool here = ids[i] == pair.left && i + 1 < ids.size() && ids[i + 1] == pair.right;
    ids[kept++] = here ? id : ids[i];
    if (here) ++i;
  }
  ids.resize(kept);
}

std::vector<MergeStep> BytePairEncoding::mergeSteps(std::string_view bytes) const {
  std::vector<MergeStep> steps;
  const std::string word = tokenOf(bytes, pipeline().spelling);
  if (isWhole(word)) return steps;
  std::vector<int> ids = unitIds(word);
  for (;;) {
    const RankedMerge* best = nullptr;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i)
      if (const auto* merge = mergeOfPair_.find(ids[i], ids[i + 1]);
          merge && (!best || merge->rank < best->rank))
        best = merge;
    if (!best) return steps;
    const Merge pair = merges_[static_cast<std::size_t>(best->rank)];
    MergeStep step{ids, pair.left, pair.right, best->rank, {}};
    joinAll(ids, pair, best->id);
    step.after = ids;
    steps.push_back(std::move(step));
  }
}

}  // namespace glassformer
