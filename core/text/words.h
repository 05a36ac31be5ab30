#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/text/word_level.h"

namespace glassformer {

/// Words and punctuation marks as tokens. What is neither white space nor a mark belongs to a word; a mark is
/// one character, punctuation of ASCII or of Unicode (categories P*), as Hugging Face's "BertPreTokenizer"
/// cuts texts. What is not in the vocabulary is `<unk>`, so that a text cannot always be had back.
///
/// Tokens cover the text: white space belongs to the word behind it, at the end of a text to the word before
/// it. A text of white space alone is one `<unk>`.
class Words final : public WordLevel {
 public:
  /// `tokens[id]` is the word, without spaces. Refuses an empty or repeated token, and a vocabulary without
  /// `<unk>`.
  static Result<Words> create(std::vector<std::string> tokens);

  const TokenizerKind& kind() const override;
  /// A word has a space before it; marks and the end of a text have none.
  std::string writtenBehind(int id) const override;
  /// The text does not begin with the space of its first word.
  std::string decode(std::span<const int> ids) const override;

 private:
  Words() = default;
  void appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const override;
  bool takesSpace(int id) const override { return id != endOfText(); }
};

const TokenizerKind& wordTokenizer();

}  // namespace glassformer
