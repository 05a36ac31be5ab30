#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/text/bert_text.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What WordPiece tokenizers do differently.
struct WordPieceRules {
  BertNormalization normalization;
  std::string unknown = "[UNK]";  ///< stands for a word that cannot be put together
  std::string inside = "##";      ///< what tokens begin with that stand inside of a word
  int longestWord = 100;          ///< words of more characters are unknown
  bool tidies = true;             ///< decoding puts no space before marks, and joins "don't" again
  TextSigns signs{"[CLS]", "[SEP]"};
  bool operator==(const WordPieceRules&) const = default;
};

/// WordPiece (Schuster and Nakajima 2012, as BERT uses it, Devlin et al. 2018). A text is normalized and cut
/// at white space and at punctuation marks; from left to right each word is the longest token that it begins
/// with, then the longest one that what is left begins with, written "##…", and so on. A word for which that
/// comes to no end is unknown as a whole.
///
/// Tokens cover the text: white space belongs to the token behind it, what normalizing removes to the one
/// before. A text of nothing else has no tokens.
class WordPiece final : public Tokenizer {
 public:
  /// `tokens[id]` as the vocabulary writes it, "##ing". Refuses an empty or repeated token, and a vocabulary
  /// without the unknown token or the signs.
  static Result<WordPiece> create(std::vector<std::string> tokens, WordPieceRules rules = {},
                                  std::vector<AddedToken> added = {});

  const TokenizerKind& kind() const override;
  const WordPieceRules& rules() const { return rules_; }
  /// A word has a space before it; what stands inside of words, and marks, have none.
  std::string writtenBehind(int id) const override;
  std::string decode(std::span<const int> ids) const override;

 private:
  WordPiece() = default;
  void appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const override;
  bool sameRules(const Tokenizer& other) const override;
  bool takesSpace(int /*id*/) const override { return true; }
  std::vector<Token> pieces(const BertText& text, std::size_t begin, std::size_t end) const;
  std::string tidied(std::string written) const;

  WordPieceRules rules_;
  std::size_t longestToken_ = 0;  // in characters, or more
};

const TokenizerKind& wordPieceTokenizer();

}  // namespace glassformer
