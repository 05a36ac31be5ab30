#include "core/text/unigram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/base64.h"
#include "core/text/piece_symbols.h"
#include "core/text/text_pipeline.h"
#include "core/text/unigram_file.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

constexpr float unknownPenalty = 10;  // Kudo and Richardson 2018, their published code
constexpr float neverScore = -std::numeric_limits<float>::infinity();
constexpr int noToken = -2;  // of a piece that has none

}  // namespace

std::shared_ptr<const TextPipeline> sentencePiecePipeline(const SentencePieceText& text) {
  using Json = nlohmann::json;
  Json normalizers = Json::array();
  const auto replace = [&](const char* expression, const char* by) {
    normalizers.push_back({{"type", "Replace"}, {"pattern", {{"Regex", expression}}}, {"content", by}});
  };
  if (!text.charactersMap.empty())
    normalizers.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", base64(text.charactersMap)}});
  if (text.joinsSpaces) replace(" +\\z", ""), replace(" {2,}", " ");
  if (text.scheme == "first") replace(" ", "▁");  // what users have defined is looked for only then
  // A space stands in front even of a space, unless several are one.
  const bool prepends = !text.joinsSpaces && text.scheme == "always";
  if (prepends) normalizers.push_back({{"type", "Prepend"}, {"prepend", " "}});
  const auto metaspace = [](const std::string& scheme) {
    return Json{{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", scheme}, {"split", true}};
  };
  TextPipeline made = TextPipeline::of({{"normalizer", {{"type", "Sequence"}, {"normalizers", normalizers}}},
                                        {"pre_tokenizer", metaspace(prepends ? "never" : text.scheme)},
                                        {"decoder", metaspace(text.scheme)}});
  made.signs = text.signs;
  return std::make_shared<const TextPipeline>(std::move(made));
}

Result<Unigram> Unigram::create(std::vector<std::string> tokens, std::vector<float> scores,
                                UnigramRules rules, std::vector<AddedToken> added,
                                std::shared_ptr<const TextPipeline> pipeline) {
  Unigram made;
  made.rules_ = std::move(rules), made.scores_ = std::move(scores);
  if (made.scores_.size() != tokens.size())
    return Error{"numbers of scores and of tokens differ", "vocab", ""};
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
  if (Status status =
          made.setTokens(std::move(tokens), std::move(added), std::move(pipeline), made.rules_.unknown);
      !status)
    return status.error();
  for (int byte = 0; byte < 256 && made.rules_.fallsBackToBytes; ++byte) {
    made.byteTokens_.push_back(made.findWritten(pieceOfByte(static_cast<unsigned char>(byte))));
    if (made.byteTokens_.back() < 0)
      return Error{"has no token for every byte, though byte_fallback is true", "vocab", ""};
  }
  return made;
}

const TokenizerKind& Unigram::kind() const { return unigramTokenizer(); }

bool Unigram::sameRules(const Tokenizer& other) const {
  const auto& own = static_cast<const Unigram&>(other);
  const bool sameSources = !sources_ ? !own.sources_ : own.sources_ && *sources_ == *own.sources_;
  return rules_ == own.rules_ && scores_ == own.scores_ && sameSources;
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
  if (const int id = findWritten(text); id >= 0 && !isSpecial(id)) return {id, score(id)};
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
std::vector<Token> Unigram::tokensOf(std::string_view word) const {
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
    if (const int id = findWritten(word.substr(begin, end - begin)); id >= 0) token.id = id;
  }
  return tokens;
}

const TokenizerKind& unigramTokenizer() {
  static const TokenizerKind kind{"unigram", "Unigram", "the most probable pieces of a word", readUnigramFile,
                                  unigramModel};
  return kind;
}

}  // namespace glassformer
