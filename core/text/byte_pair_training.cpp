#include "core/text/byte_pair_training.h"

#include <cassert>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/text/byte_symbols.h"
#include "core/text/pre_tokenizer.h"

namespace glassformer {

namespace {

using Pair = std::pair<int, int>;

struct Word {
  std::vector<int> ids;
  long count = 0;  ///< how often the corpus has it
};

class Trainer {
 public:
  Trainer(std::string_view corpus, const std::vector<std::string_view>& specialNames)
      : specialNames_(specialNames) {
    for (int byte : byteOrder()) tokens_.push_back(std::string(1, static_cast<char>(byte)));
    for (std::size_t id = 0; id < tokens_.size(); ++id) idOfBytes_[tokens_[id]] = static_cast<int>(id);
    for (std::string_view name : specialNames_) idOfBytes_[std::string(name)] = -1;  // no merge may make it
    std::map<std::string_view, long> counts;
    for (std::string_view text : textsOf(corpus))
      for (std::string_view piece : splitIntoPieces(text)) ++counts[piece];
    for (const auto& [piece, count] : counts) words_.push_back({idsOf(piece), count});
    for (int w = 0; w < static_cast<int>(words_.size()); ++w) countPairs(w, +1);
    for (const auto& [pair, count] : pairCounts_) queue_.push(candidate(pair));
  }

  BytePairEncoding run(int vocabularySize) {
    const int learned = vocabularySize - static_cast<int>(specialNames_.size());
    while (static_cast<int>(tokens_.size()) < learned && mergeMostFrequent()) {
    }
    for (std::string_view name : specialNames_) tokens_.emplace_back(name);
    auto result = BytePairEncoding::create(std::move(tokens_), std::move(merges_));
    assert(result);
    return *std::move(result);
  }

 private:
  struct Candidate {
    long count;
    std::string left, right;
    Pair pair;
    bool operator<(const Candidate& other) const {
      if (count != other.count) return count < other.count;
      return std::tie(left, right) > std::tie(other.left, other.right);
    }
  };

  static std::vector<std::string_view> textsOf(std::string_view corpus) {
    std::vector<std::string_view> texts;
    for (;;) {
      const std::size_t end = corpus.find(BytePairEncoding::endOfTextName);
      texts.push_back(corpus.substr(0, end));
      if (end == std::string_view::npos) return texts;
      corpus.remove_prefix(end + BytePairEncoding::endOfTextName.size());
    }
  }

  std::vector<int> idsOf(std::string_view piece) const {
    std::vector<int> ids;
    for (char byte : piece) ids.push_back(idOfBytes_.at(std::string(1, byte)));
    return ids;
  }
  const std::string& bytes(int id) const { return tokens_[static_cast<std::size_t>(id)]; }
  Word& word(int index) { return words_[static_cast<std::size_t>(index)]; }
  Candidate candidate(Pair pair) const {
    return {pairCounts_.at(pair), bytes(pair.first), bytes(pair.second), pair};
  }

  void countPairs(int index, int sign) {
    const Word& w = word(index);
    for (std::size_t i = 0; i + 1 < w.ids.size(); ++i) {
      const Pair pair{w.ids[i], w.ids[i + 1]};
      pairCounts_[pair] += sign * w.count;
      if (sign > 0) wordsWith_[pair].insert(index);
      changed_.insert(pair);
    }
  }

  // Counts in the queue may be old; the first entry that is up to date is the best pair.
  bool mergeMostFrequent() {
    for (; !queue_.empty(); queue_.pop()) {
      const Candidate best = queue_.top();
      if (best.count != pairCounts_[best.pair] || idOfBytes_.contains(best.left + best.right)) continue;
      if (best.count < 2) return false;
      queue_.pop();
      merge(best.pair);
      return true;
    }
    return false;
  }

  void merge(Pair pair) {
    const std::string joined = bytes(pair.first) + bytes(pair.second);
    const int id = static_cast<int>(tokens_.size());
    tokens_.push_back(joined);
    idOfBytes_[joined] = id;
    merges_.push_back({pair.first, pair.second});
    changed_.clear();
    for (int index : std::exchange(wordsWith_[pair], {})) {
      countPairs(index, -1);
      join(word(index).ids, pair, id);
      countPairs(index, +1);
    }
    for (const Pair& p : changed_)
      if (pairCounts_[p] > 0) queue_.push(candidate(p));
  }

  static void join(std::vector<int>& ids, Pair pair, int id) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool here = ids[i] == pair.first && i + 1 < ids.size() && ids[i + 1] == pair.second;
      ids[kept++] = here ? id : ids[i];
      if (here) ++i;
    }
    ids.resize(kept);
  }

  const std::vector<std::string_view>& specialNames_;
  std::vector<std::string> tokens_;
  std::map<std::string, int> idOfBytes_;
  std::vector<Merge> merges_;
  std::vector<Word> words_;
  std::map<Pair, long> pairCounts_;
  std::map<Pair, std::set<int>> wordsWith_;
  std::set<Pair> changed_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

BytePairEncoding trainBytePairEncoding(std::string_view corpus, int vocabularySize,
                                       const std::vector<std::string_view>& specialNames) {
  assert(vocabularySize >= 256 + static_cast<int>(specialNames.size()));
  return Trainer(corpus, specialNames).run(vocabularySize);
}

}  // namespace glassformer
