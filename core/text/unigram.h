#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/byte_pair_encoding.h"
#include "core/text/character_map.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What Unigram tokenizers do differently.
struct UnigramRules {
  CharacterMap map;               ///< what texts are rewritten by first
  bool joinsSpaces = true;        ///< several in a row are one, and none ends a text
  bool cutsAtWhiteSpace = false;  ///< all white space is a space
  SpaceInFront spaceInFront = SpaceInFront::UnlessThere;
  std::string unknown = "<unk>";  ///< stands for what is made of no tokens
  TextSigns signs{"", "</s>"};
  /// Of a model whose tokens are not its pieces (Marian): pieces without a token, with their log
  /// probabilities. Texts are cut into them, too, and each is unknown for itself; and what the model does not
  /// know is the token that is written so, where there is one.
  std::optional<std::map<std::string, float, std::less<>>> tokenless;
  bool operator==(const UnigramRules&) const = default;
};

/// Unigram (Kudo 2018): every token has a log probability, and of all ways to cut a word into tokens the
/// likeliest is taken, Σ log p being largest, which the Viterbi algorithm finds. A character that begins no
/// token there is unknown, at the least log probability of any token less 10, and stands for itself, or,
/// where there are tokens of all bytes, as these; unknown neighbours are one token. Words are cut at spaces,
/// of which each begins a word.
///
/// Tokens cover the text: what rewriting removes goes with the token before.
class Unigram final : public Tokenizer {
 public:
  /// `tokens[id]` are the token's bytes, a space as a space, and `scores[id]` its log probability; −∞: no
  /// text is cut into it. `byteTokens`: the ids of all 256 bytes, or none. Refuses what Tokenizer refuses, a
  /// score that is no log probability, and a vocabulary without the unknown token.
  static Result<Unigram> create(std::vector<std::string> tokens, std::vector<float> scores,
                                UnigramRules rules = {}, std::vector<AddedToken> added = {},
                                std::vector<int> byteTokens = {});

  const TokenizerKind& kind() const override;
  const UnigramRules& rules() const { return rules_; }
  float score(int id) const { return scores_[static_cast<std::size_t>(id)]; }
  /// The ids of all bytes; empty: there are no such tokens.
  const std::vector<int>& byteTokens() const { return byteTokens_; }
  /// Without the space that was put in front.
  std::string decode(std::span<const int> ids) const override;
  Result<std::shared_ptr<const Tokenizer>> withSources(
      std::shared_ptr<const Tokenizer> sources) const override;
  const Tokenizer& ofSources() const override { return sources_ ? *sources_ : *this; }

 private:
  Unigram() = default;
  void appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const override;
  bool sameRules(const Tokenizer& other) const override;
  struct Piece {
    int id;
    float score;
  };
  Piece pieceOf(std::string_view text) const;
  std::vector<Token> likeliest(std::string_view word) const;
  std::vector<Token> likeliestCut(std::string_view word) const;

  UnigramRules rules_;
  std::shared_ptr<const Tokenizer> sources_;  // null: this one
  std::vector<float> scores_;
  std::vector<int> byteTokens_;
  float leastScore_ = 0;
  std::size_t longestToken_ = 0;  // in bytes
};

const TokenizerKind& unigramTokenizer();

}  // namespace glassformer
