#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// One token of an encoded text and the bytes of the text it stands for.
struct Token {
  int id = 0;
  int begin = 0;  ///< first byte
  int end = 0;    ///< one past the last byte
  bool operator==(const Token&) const = default;
};

/// The tokens of a text in order. They cover it: each begins where the one before ends.
using Tokenization = std::vector<Token>;

/// "left followed by right becomes one token". A merge's place in the list is its rank; lower ranks go first.
struct Merge {
  int left = 0;
  int right = 0;
  bool operator==(const Merge&) const = default;
};

/// One step of encoding a word, kept for display: every place where `left` stands before `right` is joined.
struct MergeStep {
  std::vector<int> before;  ///< token ids before the step
  int left = 0;
  int right = 0;
  int rank = 0;            ///< which merge of the list this is
  std::vector<int> after;  ///< token ids after the step
};

/// Byte-level byte-pair encoding (Sennrich, Haddow and Birch 2016; on bytes: Radford et al. 2019). A word
/// starts as its bytes; while any neighbours form a known pair, the pair of lowest rank is joined. Since
/// every single byte is a token, every byte sequence can be encoded, also one that is not valid UTF-8, and
/// decodes to itself.
///
/// Immutable, and safe to use from several threads. What a word is, decides splitIntoPieces().
class BytePairEncoding {
 public:
  static constexpr std::string_view endOfTextName = "<|endoftext|>";  ///< ends a text
  static constexpr std::string_view maskName = "<|mask|>";            ///< stands for a word to be guessed
  static bool isSpecialName(std::string_view name) { return name == endOfTextName || name == maskName; }

  /// `tokens[id]` are the token's bytes. Refuses: an empty or repeated token, a byte without a token, a merge
  /// of ids that do not exist, whose result is no token, or that occurs twice. `<|endoftext|>` and
  /// `<|mask|>`, where they are among the tokens, are special: they are recognised when they are written out.
  /// A space before `<|mask|>` belongs to it, as it would to the word that stood there (RoBERTa, Liu et al.
  /// 2019), so that `decode` gives it back without that space.
  static Result<BytePairEncoding> create(std::vector<std::string> tokens, std::vector<Merge> merges);

  int vocabularySize() const { return static_cast<int>(tokens_.size()); }
  int endOfText() const { return endOfText_; }  ///< id of `<|endoftext|>`, -1 when there is none
  int mask() const { return mask_; }            ///< id of `<|mask|>`, -1 when there is none
  bool isSpecial(int id) const { return id >= 0 && (id == endOfText_ || id == mask_); }
  const std::vector<Merge>& merges() const { return merges_; }
  int find(
      std::string_view bytes) const;  ///< id of the token with exactly these bytes, -1 when there is none
  int merged(int rank) const {
    return mergedIds_[static_cast<std::size_t>(rank)];
  }  ///< what that merge makes

  Tokenization encode(std::string_view text) const;
  std::vector<int> encodeIds(std::string_view text) const;
  /// The first special token written out at or behind byte `from`.
  std::optional<Token> nextSpecial(std::string_view text, std::size_t from) const;
  /// Ids out of range are left out.
  std::string decode(std::span<const int> ids) const;
  const std::string& tokenBytes(int id) const { return tokens_[static_cast<std::size_t>(id)]; }

  /// How `word`, one piece of splitIntoPieces(), comes together. No steps for a word that no merge applies
  /// to.
  std::vector<MergeStep> mergeSteps(std::string_view word) const;

  /// What to write on an axis: a leading space as "·" (as editors show it), other spaces as "␣", newline "↵",
  /// bytes that are no character "<E2>". Always valid UTF-8 and never empty.
  std::string tokenLabel(int id) const;

  bool operator==(const BytePairEncoding& other) const {
    return tokens_ == other.tokens_ && merges_ == other.merges_;
  }

 private:
  struct RankedMerge {
    int rank;
    int id;
  };
  struct BytesHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view bytes) const { return std::hash<std::string_view>{}(bytes); }
  };
  BytePairEncoding() = default;
  Status indexTokens();
  Status indexMerges();
  const RankedMerge* mergeOf(int left, int right) const;
  std::vector<int> bytesOf(std::string_view word) const;
  std::vector<int> encodeWord(std::string_view word) const;
  void appendPieces(std::string_view text, std::size_t offset, Tokenization& encoding) const;
  void joinAll(std::vector<int>& ids, Merge pair, int id) const;
  friend class WordMerger;

  std::vector<std::string> tokens_;
  std::vector<Merge> merges_;
  std::vector<int> mergedIds_;
  std::unordered_map<std::string, int, BytesHash, std::equal_to<>> idOfBytes_;
  std::unordered_map<std::uint64_t, RankedMerge> mergeOfPair_;
  int byteIds_[256] = {};
  int endOfText_ = -1, mask_ = -1;
};

}  // namespace glassformer
