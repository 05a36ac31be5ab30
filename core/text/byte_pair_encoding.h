#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// "left followed by right becomes one token". A merge's place in the list is its rank; lower ranks go first.
struct Merge {
  int left = 0;
  int right = 0;
  bool operator==(const Merge&) const = default;
};

/// Whether a text is read as if a space stood in front of it, as SentencePiece does so that a word is the
/// same token wherever it stands.
enum class SpaceInFront { No, Always, UnlessThere, UnlessThereAtStart };

/// What tokenizers that join pairs do differently.
struct BytePairRules {
  PreTokenizer preTokenizer;
  bool composes = false;    ///< texts are brought into Unicode's composed form first (NFC)
  bool wholeWords = false;  ///< a word that is a token is that token, whatever merges would make of it
  /// Words begin as their characters, and as bytes only where there is no token of one (SentencePiece).
  bool fromCharacters = false;
  SpaceInFront spaceInFront = SpaceInFront::No;
  TextSigns signs;  ///< what stands around every text without being written
  bool operator==(const BytePairRules&) const = default;
};

/// Byte-pair encoding (Sennrich, Haddow and Birch 2016). A word starts as its bytes (Radford et al. 2019), or
/// as its characters and the bytes of those that are no token (SentencePiece, Kudo and Richardson 2018);
/// while any neighbours form a known pair, the pair of lowest rank is joined. Since every single byte is a
/// token, every byte sequence can be encoded, also one that is not valid UTF-8, and decodes to itself. What a
/// word is, says the pre-tokenizer.
class BytePairEncoding final : public Tokenizer {
 public:
  /// `tokens[id]` are the token's bytes. Refuses: an empty or repeated token, a byte without a token, a merge
  /// of ids that do not exist, whose result is no token, or that occurs twice. `<|endoftext|>` and
  /// `<|mask|>`, where they are among the tokens, are added. White space before `<|mask|>` belongs to it, as
  /// it would to the word that stood there (RoBERTa, Liu et al. 2019), so that `decode` gives it back
  /// without.
  /// `byteTokens`: the ids of all 256 bytes, where words begin as characters.
  static Result<BytePairEncoding> create(std::vector<std::string> tokens, std::vector<Merge> merges,
                                         BytePairRules rules = {}, std::vector<AddedToken> added = {},
                                         const std::vector<int>& byteTokens = {});

  const TokenizerKind& kind() const override;
  const std::vector<Merge>& merges() const { return merges_; }
  int mergeCount() const override { return static_cast<int>(merges_.size()); }
  int merged(int rank) const override { return mergedIds_[static_cast<std::size_t>(rank)]; }
  const BytePairRules& rules() const { return rules_; }
  /// The token that stands for a byte.
  int byteToken(unsigned char byte) const { return byteIds_[byte]; }
  std::vector<TextWord> words(std::string_view text, bool isStart) const override;
  std::string decode(std::span<const int> ids) const override;
  std::vector<MergeStep> mergeSteps(std::string_view word) const override;

 private:
  struct RankedMerge {
    int rank;
    int id;
  };
  BytePairEncoding() = default;
  void appendTokens(std::string_view text, std::size_t offset, Tokenization& encoding) const override;
  bool sameRules(const Tokenizer& other) const override;
  Status indexBytes(const std::vector<int>& byteTokens);
  Status indexMerges();
  const RankedMerge* mergeOf(int left, int right) const;
  std::vector<int> unitsOf(std::string_view word) const;
  std::vector<int> encodeWord(std::string_view word) const;
  void joinAll(std::vector<int>& ids, Merge pair, int id) const;
  friend class WordMerger;

  std::vector<Merge> merges_;
  BytePairRules rules_;
  std::vector<int> mergedIds_;
  std::unordered_map<std::uint64_t, RankedMerge> mergeOfPair_;
  int byteIds_[256] = {};
};

const TokenizerKind& bytePairTokenizer();

}  // namespace glassformer
