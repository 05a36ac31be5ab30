#pragma once
#include <functional>
#include <memory>
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

/// One step of encoding a word, kept for display: every place where `left` stands before `right` is joined.
struct MergeStep {
  std::vector<int> before;  ///< token ids before the step
  int left = 0;
  int right = 0;
  int rank = 0;            ///< which merge of the list this is
  std::vector<int> after;  ///< token ids after the step
};

class Tokenizer;

/// A way to cut text into tokens: an entry of tokenizers().
struct TokenizerKind {
  std::string id;       ///< "words"
  std::string name;     ///< "Words"
  std::string meaning;  ///< one line: what a token is
  /// Reads the text of a tokenizer.json; `name` is the file's, for messages. Null where the file is of
  /// another kind; an error, naming file and field, where it is of this kind but damaged.
  Result<std::shared_ptr<const Tokenizer>> (*read)(std::string_view json, std::string_view name);
  /// The text of a tokenizer.json. The tokenizer must be of this kind.
  std::string (*write)(const Tokenizer& tokenizer);
};

/// Cuts texts into the tokens of a vocabulary. Special tokens are recognised where they are written out; what
/// stands between them is cut as the kind does it.
///
/// Immutable, and safe to use from several threads.
class Tokenizer {
 public:
  static constexpr std::string_view endOfTextName = "<|endoftext|>";  ///< ends a text
  static constexpr std::string_view maskName = "<|mask|>";            ///< stands for a word to be guessed
  static constexpr std::string_view unknownName = "<unk>";  ///< stands for what is not in the vocabulary
  static bool isSpecialName(std::string_view name) { return name == endOfTextName || name == maskName; }

  virtual ~Tokenizer() = default;
  virtual const TokenizerKind& kind() const = 0;

  int vocabularySize() const { return static_cast<int>(tokens_.size()); }
  int endOfText() const { return endOfText_; }  ///< id of `<|endoftext|>`, -1 when there is none
  int mask() const { return mask_; }            ///< id of `<|mask|>`, -1 when there is none
  int unknown() const { return unknown_; }      ///< id of `<unk>`, -1 for kinds that know every text
  bool isSpecial(int id) const { return id >= 0 && (id == endOfText_ || id == mask_ || id == unknown_); }
  /// Id of the token with exactly these bytes, -1 when there is none.
  int find(std::string_view bytes) const;
  const std::string& tokenBytes(int id) const { return tokens_[static_cast<std::size_t>(id)]; }

  Tokenization encode(std::string_view text) const;
  std::vector<int> encodeIds(std::string_view text) const;
  /// The first special token written out at or behind byte `from`.
  std::optional<Token> nextSpecial(std::string_view text, std::size_t from) const;
  /// What the token adds to a text that it is written behind.
  virtual std::string writtenBehind(int id) const { return tokenBytes(id); }
  /// Ids out of range are left out.
  virtual std::string decode(std::span<const int> ids) const;

  /// Whether a word starts as its bytes and comes together by merges.
  virtual bool mergesBytes() const { return false; }
  /// How `word`, one piece of splitIntoPieces(), comes together. No steps for a word that no merge applies
  /// to, or where nothing is merged.
  virtual std::vector<MergeStep> mergeSteps(std::string_view /*word*/) const { return {}; }

  /// What to write on an axis: a leading space as "·" (as editors show it), other spaces as "␣", newline "↵",
  /// bytes that are no character "<E2>". Always valid UTF-8 and never empty.
  std::string tokenLabel(int id) const;

  bool operator==(const Tokenizer& other) const {
    return &kind() == &other.kind() && tokens_ == other.tokens_ && sameRules(other);
  }

 protected:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = default;
  Tokenizer(Tokenizer&&) = default;
  Tokenizer& operator=(const Tokenizer&) = default;
  Tokenizer& operator=(Tokenizer&&) = default;

  /// To be called once, first of all: `tokens[id]` are the token's bytes. Refuses an empty or repeated token.
  Status setTokens(std::vector<std::string> tokens);
  /// Makes `<unk>` a special token. Refuses a vocabulary without it.
  Status setUnknown();

 private:
  /// Appends the tokens of text without special tokens, the part of a whole that begins at byte `offset`.
  /// They cover it; where there is no token for its end, the last of `tokens` may be made longer instead.
  virtual void appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const = 0;
  /// Whether a space before this special token belongs to it. One before `<|mask|>` does, as it would to the
  /// word that stood there (RoBERTa, Liu et al. 2019).
  virtual bool takesSpace(int id) const { return id == mask_; }
  /// Whether two tokenizers of this kind with the same tokens encode alike.
  virtual bool sameRules(const Tokenizer& /*other*/) const { return true; }

  struct BytesHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view bytes) const { return std::hash<std::string_view>{}(bytes); }
  };
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, int, BytesHash, std::equal_to<>> idOfBytes_;
  int endOfText_ = -1, mask_ = -1, unknown_ = -1;
};

}  // namespace glassformer
