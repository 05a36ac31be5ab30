#include "core/text/byte_pair_encoding.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <queue>
#include <utility>

#include "core/text/composed_text.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

std::uint64_t pairKey(int left, int right) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) |
         static_cast<std::uint32_t>(right);
}

}  // namespace

Result<BytePairEncoding> BytePairEncoding::create(std::vector<std::string> tokens, std::vector<Merge> merges,
                                                  BytePairRules rules, std::vector<AddedToken> added,
                                                  const std::vector<int>& byteTokens) {
  BytePairEncoding encoding;
  encoding.merges_ = std::move(merges);
  encoding.rules_ = std::move(rules);
  const auto mask = static_cast<int>(std::ranges::find(tokens, maskName) - tokens.begin());
  const bool isListed = std::ranges::find(added, mask, &AddedToken::id) != added.end();
  if (mask < static_cast<int>(tokens.size()) && !isListed) added.push_back({.id = mask, .spaceBefore = true});
  std::vector<int> unlisted = byteTokens;
  std::ranges::sort(unlisted);
  if (Status status = encoding.setTokens(std::move(tokens), std::move(added), unlisted); !status)
    return status.error();
  if (Status status = encoding.setSigns(encoding.rules_.signs); !status) return status.error();
  if (Status status = encoding.indexBytes(byteTokens); !status) return status.error();
  if (Status status = encoding.indexMerges(); !status) return status.error();
  return encoding;
}

Status BytePairEncoding::indexBytes(const std::vector<int>& byteTokens) {
  if (rules_.fromCharacters) {
    if (byteTokens.size() != std::size(byteIds_) || std::ranges::min(byteTokens) < 0)
      return Error{"not every byte has a token", "tokens", "what is no token has to be written byte by byte"};
    std::ranges::copy(byteTokens, byteIds_);
    return success();
  }
  for (int byte = 0; byte < 256; ++byte) {
    const char character = static_cast<char>(byte);
    byteIds_[byte] = find({&character, 1});
    if (byteIds_[byte] < 0)
      return Error{"the byte " + inQuotes({&character, 1}) + " has no token", "tokens",
                   "a byte-level vocabulary needs all 256"};
  }
  return success();
}

Status BytePairEncoding::indexMerges() {
  const auto exists = [&](int id) { return id >= 0 && id < vocabularySize(); };
  for (int rank = 0; rank < static_cast<int>(merges_.size()); ++rank) {
    const auto [left, right] = merges_[static_cast<std::size_t>(rank)];
    const std::string where = "merge " + std::to_string(rank);
    if (!exists(left) || !exists(right))
      return Error{"it joins an id that is no token: " + std::to_string(exists(left) ? right : left), where,
                   ""};
    const int id = find(tokenBytes(left) + tokenBytes(right));
    if (id < 0)
      return Error{"its result " + inQuotes(tokenBytes(left) + tokenBytes(right)) + " is no token", where,
                   ""};
    if (!mergeOfPair_.try_emplace(pairKey(left, right), RankedMerge{rank, id}).second)
      return Error{
          inQuotes(tokenBytes(left)) + " and " + inQuotes(tokenBytes(right)) + " are merged a second time",
          where, ""};
    mergedIds_.push_back(id);
  }
  return success();
}

const BytePairEncoding::RankedMerge* BytePairEncoding::mergeOf(int left, int right) const {
  const auto found = mergeOfPair_.find(pairKey(left, right));
  return found == mergeOfPair_.end() ? nullptr : &found->second;
}

// Its bytes; or its characters, and the bytes of those that are no token.
std::vector<int> BytePairEncoding::unitsOf(std::string_view word) const {
  std::vector<int> ids;
  ids.reserve(word.size());
  for (std::size_t at = 0, end = 0; at < word.size(); at = end) {
    end = rules_.fromCharacters ? nextCharacter(word, at) : at + 1;
    const std::string_view unit = word.substr(at, end - at);
    const int character = rules_.fromCharacters ? find(unit) : -1;
    if (character >= 0)
      ids.push_back(character);
    else
      for (const char byte : unit) ids.push_back(byteIds_[static_cast<unsigned char>(byte)]);
  }
  return ids;
}

namespace {

// A text as it is cut: composed, or with a space in front, or as it is; and where its bytes come from.
class ReadText {
 public:
  ReadText(const BytePairRules& rules, std::string_view text, bool isStart) : text_(text) {
    if (rules.composes) composed_.emplace(text), text_ = composed_->text();
    if (!getsSpace(rules.spaceInFront, text, isStart)) return;
    spaced_ = " " + std::string(text_);
    text_ = spaced_;
  }
  ReadText(const ReadText&) = delete;
  ReadText& operator=(const ReadText&) = delete;

  std::string_view text() const { return text_; }
  std::size_t originOf(std::size_t bytes) const {
    if (!spaced_.empty()) bytes -= std::min<std::size_t>(bytes, 1);
    return composed_ ? composed_->originOf(bytes) : bytes;
  }

 private:
  static bool getsSpace(SpaceInFront rule, std::string_view text, bool isStart) {
    if (rule == SpaceInFront::No || text.empty()) return false;
    if (rule == SpaceInFront::Always) return true;
    return !text.starts_with(' ') && (isStart || rule == SpaceInFront::UnlessThere);
  }

  std::optional<ComposedText> composed_;
  std::string spaced_;
  std::string_view text_;
};

}  // namespace

/// Joins pairs in a word by a queue of candidates, lowest rank first and leftmost first among equals, over a
/// doubly linked list of pieces: n log n, so that a "word" of millions of characters is no trap.
class WordMerger {
 public:
  WordMerger(const BytePairEncoding& encoding, std::vector<int> ids)
      : encoding_(encoding), ids_(std::move(ids)), next_(ids_.size()), previous_(ids_.size()) {
    std::vector<Candidate> first;
    for (int i = 0; i < count(); ++i) {
      next_[at(i)] = i + 1, previous_[at(i)] = i - 1;
      if (const auto* merge = mergeAt(i)) first.push_back(candidate(merge->rank, i));
    }
    candidates_ = Queue(std::greater<>(), std::move(first));
  }

  std::vector<int> run() {
    while (!candidates_.empty()) {
      const auto [rank, place] = std::pair(static_cast<int>(candidates_.top() >> 32),
                                           static_cast<int>(candidates_.top() & 0xFFFFFFFFu));
      candidates_.pop();
      // Stale where one of the two pieces has been joined to something else meanwhile.
      if (const auto* merge = mergeAt(place); merge && merge->rank == rank) join(place, merge->id);
    }
    std::vector<int> result;
    for (int i = 0; i < count(); i = next_[at(i)]) result.push_back(ids_[at(i)]);
    return result;
  }

 private:
  using Candidate = std::uint64_t;  // rank, then place: they are in the order of these numbers
  using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;
  static Candidate candidate(int rank, int place) {
    return (static_cast<Candidate>(rank) << 32) | static_cast<std::uint32_t>(place);
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int count() const { return static_cast<int>(ids_.size()); }

  // How the piece at `place` is joined to the next; null where it is not, or where there is no piece.
  const BytePairEncoding::RankedMerge* mergeAt(int place) const {
    if (ids_[at(place)] < 0 || next_[at(place)] >= count()) return nullptr;
    return encoding_.mergeOf(ids_[at(place)], ids_[at(next_[at(place)])]);
  }
  void propose(int place) {
    if (place < 0) return;
    if (const auto* merge = mergeAt(place)) candidates_.push(candidate(merge->rank, place));
  }
  void join(int place, int id) {
    const int gone = next_[at(place)], after = next_[at(gone)];
    ids_[at(place)] = id;
    ids_[at(gone)] = -1;
    next_[at(place)] = after;
    if (after < count()) previous_[at(after)] = place;
    propose(place);
    propose(previous_[at(place)]);
  }

  const BytePairEncoding& encoding_;
  std::vector<int> ids_, next_, previous_;
  Queue candidates_;
};

std::vector<int> BytePairEncoding::encodeWord(std::string_view word) const {
  if (const int whole = rules_.wholeWords ? find(word) : -1; whole >= 0) return {whole};
  return WordMerger(*this, unitsOf(word)).run();
}

std::vector<TextWord> BytePairEncoding::words(std::string_view text, bool isStart) const {
  std::vector<TextWord> words;
  const ReadText read(rules_, text, isStart);
  std::size_t at = 0;
  for (const std::string_view piece : rules_.preTokenizer.pieces(read.text())) {
    const std::size_t begin = std::exchange(at, at + piece.size());
    words.push_back(
        {read.originOf(begin), read.originOf(at), std::string(piece), unitsOf(piece), rules_.fromCharacters});
  }
  return words;
}

std::string BytePairEncoding::decode(std::span<const int> ids) const {
  std::string text = Tokenizer::decode(ids);
  if (rules_.spaceInFront != SpaceInFront::No && text.starts_with(' ')) text.erase(0, 1);
  return text;
}

void BytePairEncoding::appendTokens(std::string_view text, std::size_t offset, Tokenization& encoding) const {
  std::unordered_map<std::string_view, std::vector<int>> known;
  const ReadText read(rules_, text, offset == 0);
  const auto originOf = [&](std::size_t bytes) { return static_cast<int>(offset + read.originOf(bytes)); };
  std::size_t at = 0;
  for (const std::string_view piece : rules_.preTokenizer.pieces(read.text())) {
    const auto [entry, isNew] = known.try_emplace(piece);
    if (isNew) entry->second = encodeWord(piece);
    for (const int id : entry->second) {
      const std::size_t end = at + tokenBytes(id).size();
      encoding.push_back({id, originOf(at), originOf(end)});
      at = end;
    }
  }
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

std::vector<MergeStep> BytePairEncoding::mergeSteps(std::string_view word) const {
  std::vector<MergeStep> steps;
  if (rules_.wholeWords && find(word) >= 0) return steps;
  std::vector<int> ids = unitsOf(word);
  for (;;) {
    const RankedMerge* best = nullptr;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i)
      if (const auto* merge = mergeOf(ids[i], ids[i + 1]); merge && (!best || merge->rank < best->rank))
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
