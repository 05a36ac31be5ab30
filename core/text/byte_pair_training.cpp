#include "core/text/byte_pair_training.h"

#include <array>
#include <cassert>
#include <cstdint>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/byte_symbols.h"
#include "core/text/pre_tokenizer.h"

namespace glassformer {

namespace {

/// A token in a word of the corpus, and where its neighbours are; -1: it is at the word's end.
struct CorpusSymbol {
  int id = 0;  ///< -1: it was joined to the one before
  int previous = -1, next = -1;
  int word = 0;
};

/// Two tokens side by side.
struct NeighbourPair {
  std::int64_t count = 0;   ///< how often the corpus has them
  std::vector<int> places;  ///< symbols where they began, from left to right; some have changed since
};

}  // namespace

/// Every distinct word is kept once, as a linked list of symbols. A merge visits only the places of its pair
/// and counts anew only their neighbours, so that one word of millions of letters is no trap.
class BytePairTrainer {
 public:
  BytePairTrainer(std::string_view corpus, std::vector<std::string_view> specialNames)
      : specialNames_(std::move(specialNames)) {
    for (int byte : byteOrder()) tokens_.push_back(std::string(1, static_cast<char>(byte)));
    for (std::size_t id = 0; id < tokens_.size(); ++id) idOfBytes_[tokens_[id]] = static_cast<int>(id);
    for (std::string_view name : specialNames_) idOfBytes_[std::string(name)] = -1;  // no merge may make it
    addWords(corpus);
    for (std::size_t place = 0; place < symbols_.size(); ++place)
      if (const CorpusSymbol& s = symbols_[place]; s.next >= 0)
        appear(s.id, symbols_[at(s.next)].id, static_cast<int>(place));
    proposeNewPairs();
  }

  BytePairEncoding run(int vocabularySize) {
    const int learned = vocabularySize - static_cast<int>(specialNames_.size());
    while (static_cast<int>(tokens_.size()) < learned && mergeMostFrequent()) {
    }
    return encoding();
  }

  int merges() const { return static_cast<int>(merges_.size()); }

  BytePairEncoding encoding() const {
    std::vector<std::string> tokens = tokens_;
    for (std::string_view name : specialNames_) tokens.emplace_back(name);
    auto result = BytePairEncoding::create(std::move(tokens), merges_);
    assert(result);
    return *std::move(result);
  }

  // Counts only fall once a pair is in the queue: one that has fallen goes back to where it belongs now.
  bool mergeMostFrequent() {
    while (!queue_.empty()) {
      const auto [count, pair] = queue_.top();
      queue_.pop();
      const std::int64_t now = pairs_[keyOf(pair.left, pair.right)].count;
      if (now < 2 || idOfBytes_.contains(tokens_[at(pair.left)] + tokens_[at(pair.right)])) continue;
      if (now == count) return merge(pair), true;
      queue_.push({now, pair});
    }
    return false;
  }

 private:
  struct Candidate {
    std::int64_t count;
    Merge pair;
  };
  /// Whether `a` is merged after `b`.
  struct MergedLater {
    const std::vector<std::string>& tokens;
    bool operator()(const Candidate& a, const Candidate& b) const {
      if (a.count != b.count) return a.count < b.count;
      return std::tie(tokens[at(a.pair.left)], tokens[at(a.pair.right)]) >
             std::tie(tokens[at(b.pair.left)], tokens[at(b.pair.right)]);
    }
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static std::uint64_t keyOf(int left, int right) {
    return (static_cast<std::uint64_t>(left) << 32) | static_cast<std::uint64_t>(right);
  }

  static std::vector<std::string_view> textsOf(std::string_view corpus) {
    std::vector<std::string_view> texts;
    for (;;) {
      const std::size_t end = corpus.find(BytePairEncoding::endOfTextName);
      texts.push_back(corpus.substr(0, end));
      if (end == std::string_view::npos) return texts;
      corpus.remove_prefix(end + BytePairEncoding::endOfTextName.size());
    }
  }

  void addWords(std::string_view corpus) {
    std::unordered_map<std::string_view, std::int64_t> counts;
    std::size_t symbols = 0;
    for (std::string_view text : textsOf(corpus))
      for (std::string_view piece : splitIntoPieces(text))
        if (++counts[piece] == 1) symbols += piece.size();
    symbols_.reserve(symbols);
    std::array<int, 256> idOfByte{};
    for (int id = 0; id < 256; ++id) idOfByte[static_cast<unsigned char>(tokens_[at(id)][0])] = id;
    for (const auto& [piece, count] : counts) {
      const int first = static_cast<int>(symbols_.size()), end = first + static_cast<int>(piece.size()),
                word = static_cast<int>(wordCounts_.size());
      for (int i = first; i < end; ++i)
        symbols_.push_back({idOfByte[static_cast<unsigned char>(piece[at(i - first)])],
                            i > first ? i - 1 : -1, i + 1 < end ? i + 1 : -1, word});
      wordCounts_.push_back(count);
    }
  }

  std::int64_t countOf(int place) const { return wordCounts_[at(symbols_[at(place)].word)]; }

  // Tokens that come to stand side by side, the left one at `place`.
  void appear(int left, int right, int place) {
    NeighbourPair& pair = pairs_[keyOf(left, right)];
    if (pair.places.empty()) newPairs_.push_back({left, right});
    pair.places.push_back(place);
    pair.count += countOf(place);
  }
  void vanish(int left, int right, std::int64_t count) { pairs_[keyOf(left, right)].count -= count; }

  void proposeNewPairs() {
    for (const Merge& pair : std::exchange(newPairs_, {}))
      queue_.push({pairs_[keyOf(pair.left, pair.right)].count, pair});
  }

  void merge(const Merge& pair) {
    const int id = static_cast<int>(tokens_.size());
    tokens_.push_back(tokens_[at(pair.left)] + tokens_[at(pair.right)]);
    idOfBytes_[tokens_.back()] = id;
    merges_.push_back(pair);
    for (const int place : std::exchange(pairs_[keyOf(pair.left, pair.right)].places, {}))
      join(place, pair, id);
    pairs_.erase(keyOf(pair.left, pair.right));
    proposeNewPairs();
  }

  void join(int place, const Merge& pair, int id) {
    CorpusSymbol& left = symbols_[at(place)];
    if (left.id != pair.left || left.next < 0 || symbols_[at(left.next)].id != pair.right) return;
    CorpusSymbol& right = symbols_[at(left.next)];
    const std::int64_t count = countOf(place);
    left.id = id, right.id = -1;
    left.next = right.next;
    if (const int before = left.previous; before >= 0) {
      vanish(symbols_[at(before)].id, pair.left, count);
      appear(symbols_[at(before)].id, id, before);
    }
    if (const int after = left.next; after >= 0) {
      symbols_[at(after)].previous = place;
      vanish(pair.right, symbols_[at(after)].id, count);
      appear(id, symbols_[at(after)].id, place);
    }
  }

  std::vector<std::string_view> specialNames_;
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, int> idOfBytes_;
  std::vector<Merge> merges_;
  std::vector<CorpusSymbol> symbols_;
  std::vector<std::int64_t> wordCounts_;
  std::unordered_map<std::uint64_t, NeighbourPair> pairs_;
  std::vector<Merge> newPairs_;
  std::priority_queue<Candidate, std::vector<Candidate>, MergedLater> queue_{MergedLater{tokens_}};
};

BytePairEncoding trainBytePairEncoding(std::string_view corpus, int vocabularySize,
                                       const std::vector<std::string_view>& specialNames) {
  assert(vocabularySize >= 256 + static_cast<int>(specialNames.size()));
  return BytePairTrainer(corpus, specialNames).run(vocabularySize);
}

BytePairLearning::BytePairLearning(std::string_view corpus)
    : trainer_(std::make_unique<BytePairTrainer>(
          corpus, std::vector<std::string_view>{BytePairEncoding::endOfTextName})) {}
BytePairLearning::~BytePairLearning() = default;
bool BytePairLearning::advance() { return trainer_->mergeMostFrequent(); }
int BytePairLearning::merges() const { return trainer_->merges(); }
BytePairEncoding BytePairLearning::encoding() const { return trainer_->encoding(); }

}  // namespace glassformer
