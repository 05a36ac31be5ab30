#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/tokenizer.h"

namespace glassformer {

/// What WordPiece tokenizers do differently.
struct WordPieceRules {
  std::string unknown = "[UNK]";  ///< stands for a word that cannot be put together
  std::string inside = "##";      ///< what tokens begin with that stand inside of a word
  int longestWord = 100;          ///< words of more characters are unknown
  bool operator==(const WordPieceRules&) const = default;
};

/// What BERT's tokenizers do to a text (Devlin et al. 2018, their published tokenizer).
struct BertNormalization {
  bool cleans = true;          ///< control characters go, white space becomes a space
  bool parts = true;           ///< Chinese characters stand apart
  bool removesAccents = true;  ///< characters are decomposed (NFD), and combining marks (Mn) go
  bool writesInSmall = true;   ///< capitals become small letters, each by itself
};
/// A text is normalized, cut at white space and at punctuation marks, and put between signs.
std::shared_ptr<const TextPipeline> bertPipeline(const BertNormalization& normalization = {},
                                                 const BosEosTokens& signs = {{"[CLS]"}, {"[SEP]"}});

/// WordPiece (Schuster and Nakajima 2012, as BERT uses it, Devlin et al. 2018). From left to right
/// each word is the longest token that it begins
/// with, then the longest one that what is left begins with, written "##…", and so on. A word for which that
/// comes to no end is unknown as a whole.
///
/// Tokens cover the text: white space belongs to the token behind it, what normalizing removes to the one
/// before. A text of nothing else has no tokens.
class WordPiece final : public Tokenizer {
 public:
  /// `tokens[id]` as the vocabulary writes it, "##ing". Refuses a repeated token, and a vocabulary without
  /// the unknown token or the signs.
  static Result<WordPiece> create(std::vector<std::string> tokens, WordPieceRules rules = {},
                                  std::vector<AddedToken> added = {},
                                  std::shared_ptr<const TextPipeline> pipeline = bertPipeline());

  const TokenizerKind& kind() const override;
  const WordPieceRules& rules() const { return rules_; }

 private:
  WordPiece() = default;
  std::vector<Token> tokensOf(std::string_view word) const override;
  bool sameRules(const Tokenizer& other) const override;
  bool takesSpace(int /*id*/) const override { return true; }

  WordPieceRules rules_;
  std::size_t longestToken_ = 0;  // in bytes
};

const TokenizerKind& wordPieceTokenizer();

}  // namespace glassformer
