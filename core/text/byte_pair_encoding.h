#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/merge_table.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What tokenizers that join pairs do differently, in the order of the fields of a tokenizer.json.
struct BytePairRules {
  std::string unknown;        ///< stands for a character without a token; empty: that is left out
  std::string insidePrefix;   ///< of a character that does not begin a word
  std::string endSuffix;      ///< of one that ends a word
  bool fusesUnknown = false;  ///< unknown neighbors are one token
  bool fallsBackToBytes =
      false;                ///< a character without a token is its bytes, "<0xC3>", where all are tokens
  bool wholeWords = false;  ///< a word that is a token is that token, whatever merges would make of it
  bool operator==(const BytePairRules&) const = default;
};

/// Byte-pair encoding (Sennrich, Haddow and Birch 2016). A word starts as its characters: GPT-2's symbols of
/// its bytes (Radford et al. 2019), or those of the text, and the bytes of those without a token
/// (SentencePiece, Kudo and Richardson 2018). While any neighbors form a known pair, the pair of lowest rank
/// is joined. What a word is, says the pipeline.
class BytePairEncoding final : public Tokenizer {
 public:
  /// A byte-level one: `tokens[id]` are the token's bytes. Refuses an empty or repeated token, a merge of ids
  /// that do not exist, whose result is no token, or that occurs twice. `<|endoftext|>` and `<|mask|>`, where
  /// they are among the tokens, are added. White space before `<|mask|>` belongs to it, as it would to the
  /// word that stood there (RoBERTa, Liu et al. 2019), so that `decode` gives it back without.
  static Result<BytePairEncoding> create(const std::vector<std::string>& tokens, std::vector<Merge> merges,
                                         std::vector<AddedToken> added = {});
  /// `tokens[id]` as the vocabulary writes them; empty: there is no token with that id.
  static Result<BytePairEncoding> create(std::vector<std::string> tokens, std::vector<Merge> merges,
                                         BytePairRules rules, std::vector<AddedToken> added,
                                         std::shared_ptr<const TextPipeline> pipeline);

  const TokenizerKind& kind() const override;
  const std::vector<Merge>& merges() const { return merges_; }
  int mergeCount() const override { return static_cast<int>(merges_.size()); }
  int merged(int rank) const override { return mergedIds_[static_cast<std::size_t>(rank)]; }
  const BytePairRules& rules() const { return rules_; }
  std::vector<TextWord> words(std::string_view text, bool isStart) const override;
  std::vector<MergeStep> mergeSteps(std::string_view word) const override;

 private:
  BytePairEncoding() = default;
  std::vector<Token> tokensOf(std::string_view word) const override;
  bool sameRules(const Tokenizer& other) const override;
  Status indexMerges();
  std::vector<Token> unitsOf(std::string_view word) const;
  bool appendBytes(std::string_view written, Token place, std::vector<Token>& units) const;
  std::vector<int> unitIds(std::string_view word) const;
  bool isWhole(std::string_view word) const { return rules_.wholeWords && findWritten(word) >= 0; }
  void joinAll(std::vector<int>& ids, Merge pair, int id) const;
  friend class WordMerger;

  std::vector<Merge> merges_;
  BytePairRules rules_;
  std::vector<int> mergedIds_;
  MergeTable mergeOfPair_;
  int byteIds_[256];  // of "<0x00>" and so on; −1: none
};

const TokenizerKind& bytePairTokenizer();

}  // namespace glassformer
