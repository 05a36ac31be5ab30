#include "core/text/unigram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/unigram_file.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

constexpr float unknownPenalty = 10;  // Kudo and Richardson 2018, their published code
constexpr float neverScore = -std::numeric_limits<float>::infinity();
constexpr int noToken = -2;  // of a piece that has none

// A text as it is cut: rewritten, spaces joined, one in front; and where its bytes come from.
class RewrittenText {
 public:
  RewrittenText(const UnigramRules& rules, std::string_view text, bool isStart) : rules_(rules) {
    for (std::size_t at = 0; at < text.size();) {
      const auto rewriting = rules.map.longest(text.substr(at));
      const std::size_t end = rewriting ? at + rewriting->length : nextCharacter(text, at);
      put(rewriting ? rewriting->by : text.substr(at, end - at), end);
      at = end;
    }
    while (rules.joinsSpaces && text_.ends_with(' ')) text_.pop_back(), origins_.pop_back();
    const bool puts = rules.spaceInFront == SpaceInFront::Always ||
                      rules.spaceInFront == SpaceInFront::UnlessThere ||
                      (rules.spaceInFront == SpaceInFront::UnlessThereAtStart && isStart);
    const bool isThere = text_.starts_with(' ') && rules.spaceInFront != SpaceInFront::Always;
    if (puts && !isThere && !text_.empty()) text_.insert(0, " "), origins_.insert(origins_.begin(), 0);
  }

  std::string_view text() const { return text_; }
  /// Where in the original the first `bytes` end.
  std::size_t originOf(std::size_t bytes) const { return bytes == 0 ? 0 : origins_[bytes - 1]; }

 private:
  void put(std::string_view characters, std::size_t end) {
    for (std::size_t at = 0; at < characters.size(); at = nextCharacter(characters, at)) {
      const bool isSpace = rules_.cutsAtWhiteSpace ? isWhiteSpaceAt(characters, at) : characters[at] == ' ';
      if (isSpace && rules_.joinsSpaces && text_.ends_with(' ')) {
        origins_.back() = end;
        continue;
      }
      const std::string_view one = characters.substr(at, nextCharacter(characters, at) - at);
      text_ += isSpace ? " " : one;
      origins_.resize(text_.size(), end);
    }
  }

  const UnigramRules& rules_;
  std::string text_;
  std::vector<std::size_t> origins_;
};

}  // namespace

Result<Unigram> Unigram::create(std::vector<std::string> tokens, std::vector<float> scores,
                                UnigramRules rules, std::vector<AddedToken> added,
                                std::vector<int> byteTokens) {
  Unigram made;
  made.rules_ = std::move(rules), made.scores_ = std::move(scores), made.byteTokens_ = std::move(byteTokens);
  if (made.scores_.size() != tokens.size())
    return Error{"there are not as many scores as tokens", "vocab", ""};
  for (std::size_t id = 0; id < tokens.size(); ++id)
    if (std::isnan(made.scores_[id]) || made.scores_[id] == -neverScore)
      return Error{"the score of " + inQuotes(tokens[id]) + " is not finite", "vocab", ""};
  const auto take = [&](const std::string& piece, float score) {
    made.longestToken_ = std::max(made.longestToken_, piece.size());
    if (score != neverScore) made.leastScore_ = std::min(made.leastScore_, score);
  };
  for (std::size_t id = 0; id < tokens.size(); ++id) take(tokens[id], made.scores_[id]);
  if (made.rules_.tokenless)
    for (const auto& [piece, score] : *made.rules_.tokenless) take(piece, score);
  std::vector<int> unlisted = made.byteTokens_;
  std::ranges::sort(unlisted);
  if (Status status = made.setTokens(std::move(tokens), std::move(added), unlisted); !status)
    return status.error();
  if (Status status = made.setUnknown(made.rules_.unknown); !status) return status.error();
  if (Status status = made.setSigns(made.rules_.signs); !status) return status.error();
  return made;
}

const TokenizerKind& Unigram::kind() const { return unigramTokenizer(); }

bool Unigram::sameRules(const Tokenizer& other) const {
  const auto& own = static_cast<const Unigram&>(other);
  const bool sameSources = !sources_ ? !own.sources_ : own.sources_ && *sources_ == *own.sources_;
  return rules_ == own.rules_ && scores_ == own.scores_ && byteTokens_ == own.byteTokens_ && sameSources;
}

Result<std::shared_ptr<const Tokenizer>> Unigram::withSources(
    std::shared_ptr<const Tokenizer> sources) const {
  for (int id = 0; id < std::max(vocabularySize(), sources->vocabularySize()); ++id)
    if (tokenBytes(id) != sources->tokenBytes(id))
      return Error{"the token " + std::to_string(id) + " is " + inQuotes(tokenBytes(id)) + " in texts and " +
                       inQuotes(sources->tokenBytes(id)) + " in sources",
                   "vocab", "both have the same tokens"};
  auto both = std::make_shared<Unigram>(*this);
  both->sources_ = std::move(sources);
  return std::shared_ptr<const Tokenizer>(std::move(both));
}

// The token that text may be cut into, or none with −∞.
Unigram::Piece Unigram::pieceOf(std::string_view text) const {
  if (const int id = find(text); id >= 0 && !isSpecial(id)) return {id, score(id)};
  if (!rules_.tokenless) return {noToken, neverScore};
  const auto tokenless = rules_.tokenless->find(text);
  return {noToken, tokenless == rules_.tokenless->end() ? neverScore : tokenless->second};
}

// Viterbi: best[n] is the likeliest way to cut the first n bytes, best[n] = max over tokens w that end there
// of best[n − |w|] + log p(w).
std::vector<Token> Unigram::likeliestCut(std::string_view word) const {
  struct Best {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t from = 0;
    int id = -1;
  };
  std::vector<Best> best(word.size() + 1);
  best[0].score = 0;
  const auto offer = [&](std::size_t begin, std::size_t end, int id, double score) {
    if (best[begin].score + score > best[end].score) best[end] = {best[begin].score + score, begin, id};
  };
  for (std::size_t begin = 0; begin < word.size(); begin = nextCharacter(word, begin)) {
    const std::size_t next = nextCharacter(word, begin), most = std::min(word.size(), begin + longestToken_);
    bool hasCharacter = false;
    for (std::size_t end = next; end <= most; end = nextCharacter(word, end)) {
      const auto [id, score] = pieceOf(word.substr(begin, end - begin));
      if (score != neverScore) {
        offer(begin, end, id, static_cast<double>(score));
        hasCharacter |= end == next;
      }
      if (end == word.size()) break;
    }
    if (!hasCharacter) offer(begin, next, unknown(), static_cast<double>(leastScore_ - unknownPenalty));
  }
  std::vector<Token> tokens;
  for (std::size_t end = word.size(); end > 0; end = best[end].from)
    tokens.push_back({best[end].id, static_cast<int>(best[end].from), static_cast<int>(end)});
  std::ranges::reverse(tokens);
  return tokens;
}

// The same, unknown neighbours as one, or byte by byte, or as what is written so. Tokens hold places in the
// word.
std::vector<Token> Unigram::likeliest(std::string_view word) const {
  std::vector<Token> tokens;
  bool wasUnknown = false;
  for (const Token& token : likeliestCut(word)) {
    const bool isUnknown = token.id == unknown(), hadUnknown = std::exchange(wasUnknown, isUnknown);
    if (isUnknown && !byteTokens_.empty())
      for (int at = token.begin; at < token.end; ++at)
        tokens.push_back(
            {byteTokens_[static_cast<unsigned char>(word[static_cast<std::size_t>(at)])], at, at + 1});
    else if (isUnknown && hadUnknown)
      tokens.back().end = token.end;
    else
      tokens.push_back({token.id == noToken ? unknown() : token.id, token.begin, token.end});
  }
  for (Token& token : tokens) {
    if (!rules_.tokenless || token.id != unknown()) continue;
    const auto begin = static_cast<std::size_t>(token.begin), end = static_cast<std::size_t>(token.end);
    if (const int written = find(word.substr(begin, end - begin)); written >= 0) token.id = written;
  }
  return tokens;
}

void Unigram::appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const {
  const RewrittenText rewritten(rules_, text, offset == 0);
  const std::string_view whole = rewritten.text();
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find(' ', at + 1), whole.size());
    for (const Token& token : likeliest(whole.substr(at, end - at))) {
      const int begin = tokens.empty() ? static_cast<int>(offset) : tokens.back().end;
      const std::size_t stop = offset + rewritten.originOf(at + static_cast<std::size_t>(token.end));
      tokens.push_back({token.id, begin, std::max(begin, static_cast<int>(stop))});
    }
    at = end;
  }
  if (!tokens.empty()) tokens.back().end = static_cast<int>(offset + text.size());
}

std::string Unigram::decode(std::span<const int> ids) const {
  const std::string text = Tokenizer::decode(ids);
  const bool hadSpace = rules_.spaceInFront != SpaceInFront::No && text.starts_with(' ');
  return hadSpace ? text.substr(1) : text;
}

const TokenizerKind& unigramTokenizer() {
  static const TokenizerKind kind{
      "unigram", "Unigram", "the likeliest pieces that a word can be cut into", readUnigramFile,
      [](const Tokenizer& tokenizer) { return writeUnigramFile(static_cast<const Unigram&>(tokenizer)); }};
  return kind;
}

}  // namespace glassformer
