#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// What Unigram tokenizers do differently.
struct UnigramRules {
  std::string unknown = "<unk>";  ///< stands for what is made of no tokens
  bool fallsBackToBytes = false;  ///< which is its bytes instead, "<0xC3>"
  /// Of a model whose tokens are not its pieces (Marian): pieces without a token, with their log
  /// probabilities. Texts are cut into them, too, and each is unknown for itself; and what the model does not
  /// know is the token that is written so, where there is one.
  std::optional<std::map<std::string, float, std::less<>>> tokenless;
  bool operator==(const UnigramRules&) const = default;
};

/// How SentencePiece reads texts (Kudo and Richardson 2018).
struct SentencePieceText {
  std::string charactersMap;  ///< what texts are rewritten by first: see CharacterMap
  bool joinsSpaces = true;    ///< several in a row are one, and none ends a text
  /// Whether a space is put in front of a text: "always", "first" (of the whole) or "never".
  std::string scheme = "always";
  BosEosTokens signs{{}, {"</s>"}};
};
/// Spaces are written as ▁, of which each begins a word. `charactersMap` is a compiled map.
std::shared_ptr<const TextPipeline> sentencePiecePipeline(const SentencePieceText& text = {});

/// Unigram (Kudo 2018): every token has a log probability, and of all ways to cut a word into tokens the
/// likeliest is taken, Σ log p being largest, which the Viterbi algorithm finds. A character that begins no
/// token there is unknown, at the least log probability of any token less 10, and stands for itself, or,
/// where there are tokens of all bytes, as these; unknown neighbors are one token.
class Unigram final : public Tokenizer {
 public:
  /// `tokens[id]` as the vocabulary writes them, and `scores[id]` their log probabilities; −∞: no text is cut
  /// into it. Refuses what Tokenizer refuses, a score that is no log probability, a vocabulary without the
  /// unknown token, and one that falls back to bytes without all of them.
  static Result<Unigram> create(std::vector<std::string> tokens, std::vector<float> scores,
                                UnigramRules rules = {}, std::vector<AddedToken> added = {},
                                std::shared_ptr<const TextPipeline> pipeline = sentencePiecePipeline());

  const TokenizerKind& kind() const override;
  const UnigramRules& rules() const { return rules_; }
  float score(int id) const { return scores_[static_cast<std::size_t>(id)]; }
  Result<std::shared_ptr<const Tokenizer>> withSources(
      std::shared_ptr<const Tokenizer> sources) const override;
  const Tokenizer& ofSources() const override { return sources_ ? *sources_ : *this; }

 private:
  Unigram() = default;
  std::vector<Token> tokensOf(std::string_view word) const override;
  bool sameRules(const Tokenizer& other) const override;
  struct Piece {
    int id;
    float score;
  };
  Piece pieceOf(std::string_view text) const;
  std::vector<Token> likeliestCut(std::string_view word) const;

  UnigramRules rules_;
  std::shared_ptr<const Tokenizer> sources_;  // null: this one
  std::vector<float> scores_;
  std::vector<int> byteTokens_;  // ids of all bytes; empty: there are no such tokens
  float leastScore_ = 0;
  std::size_t longestToken_ = 0;  // in bytes
};

const TokenizerKind& unigramTokenizer();

}  // namespace glassformer
