#pragma once
#include <functional>
#include <map>
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

/// The tokens of a text in order. They cover it: each begins where the one before ends. Of a text for none of
/// which there is a token there are none.
using Tokenization = std::vector<Token>;

/// One step of encoding a word, kept for display: every place where `left` stands before `right` is joined.
struct MergeStep {
  std::vector<int> before;  ///< token ids before the step
  int left = 0;
  int right = 0;
  int rank = 0;            ///< which merge of the list this is
  std::vector<int> after;  ///< token ids after the step
};

/// What to write of a token's bytes on an axis: a leading space as "·" (as editors show it), other spaces as
/// "␣", newline "↵", bytes that are no character "<E2>". Always valid UTF-8.
std::string labelOf(std::string_view bytes);

/// A token that is recognised where it is written out, whatever stands around it.
struct AddedToken {
  int id = 0;
  bool special = true;       ///< no part of the text: its end, who speaks, what is to be guessed
  bool spaceBefore = false;  ///< takes white space in front of it along
  bool spaceBehind = false;  ///< and behind it
  bool singleWord = false;   ///< only where no letter or digit touches it
  bool operator==(const AddedToken&) const = default;
};

/// The tokens that a model has learned texts between, though nobody writes them: "[CLS]" and "[SEP]". Empty:
/// there is none.
struct TextSigns {
  std::string start, close;
  bool operator==(const TextSigns&) const = default;
};

/// A piece of a text inside which tokens are joined.
struct TextWord {
  std::size_t begin = 0, end = 0;  ///< its bytes in the text
  std::string bytes;               ///< as they are joined: composed, where the tokenizer does that
  std::vector<int> units;          ///< the tokens that it is joined from
  bool areCharacters = false;      ///< these are characters, and bytes only where there is no token of one
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
  /// The same in the older form of several files, by their names, where a tokenizer has one.
  std::map<std::string, std::string> (*writeOlder)(const Tokenizer& tokenizer) = nullptr;
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
  /// Id of the token that a model has learned texts behind, though nobody writes it; -1: there is none.
  int startOfText() const { return startOfText_; }
  /// Id of the token that a model has learned whole texts in front of; −1: there is none.
  int closeOfText() const { return closeOfText_; }
  int mask() const { return mask_; }        ///< id of `<|mask|>`, -1 when there is none
  int unknown() const { return unknown_; }  ///< id of `<unk>`, -1 for kinds that know every text
  bool isSpecial(int id) const;
  const std::vector<AddedToken>& added() const { return added_; }  ///< special or not, in the order of ids
  /// Id of the token with exactly these bytes, -1 when there is none.
  int find(std::string_view bytes) const;
  /// Empty for an id that no token has: models may have room for more.
  const std::string& tokenBytes(int id) const;

  /// What cuts the sources of a model that reads one into the same tokens: mostly this.
  virtual const Tokenizer& ofSources() const { return *this; }
  /// The same, with another one for sources, as Marian has it. Refuses one with other tokens; only kinds that
  /// such models have take one.
  virtual Result<std::shared_ptr<const Tokenizer>> withSources(
      std::shared_ptr<const Tokenizer> sources) const;

  Tokenization encode(std::string_view text) const;
  std::vector<int> encodeIds(std::string_view text) const;
  /// The first added token written out at or behind byte `from`; of several there the longest.
  std::optional<Token> nextAdded(std::string_view text, std::size_t from) const;
  /// What the token adds to a text that it is written behind.
  virtual std::string writtenBehind(int id) const { return tokenBytes(id); }
  /// Ids out of range are left out.
  virtual std::string decode(std::span<const int> ids) const;

  /// The words of a text without added tokens that come together by merges; none where nothing is merged.
  /// `isStart`: nothing stands before it.
  virtual std::vector<TextWord> words(std::string_view /*text*/, bool /*isStart*/) const { return {}; }
  /// How many merges it has learned, first things first; and the token that one of them makes.
  virtual int mergeCount() const { return 0; }
  virtual int merged(int /*rank*/) const { return -1; }
  /// How a word's bytes come together. No steps for a word that no merge applies to.
  virtual std::vector<MergeStep> mergeSteps(std::string_view /*word*/) const { return {}; }

  /// labelOf() its bytes; never empty.
  std::string tokenLabel(int id) const;

  bool operator==(const Tokenizer& other) const {
    return &kind() == &other.kind() && tokens_ == other.tokens_ && added_ == other.added_ && sameRules(other);
  }

 protected:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = default;
  Tokenizer(Tokenizer&&) = default;
  Tokenizer& operator=(const Tokenizer&) = default;
  Tokenizer& operator=(Tokenizer&&) = default;

  /// To be called once, first of all: `tokens[id]` are the token's bytes. Refuses an empty or repeated token;
  /// added ones may repeat others. `<|endoftext|>` and `<|mask|>` are added wherever they are among the
  /// tokens. Of the names that others give them the first one that is added is the end of a text, and the
  /// mask. `unlisted` ids, in ascending order, have bytes that another token may have, too; they are not
  /// found by these.
  Status setTokens(std::vector<std::string> tokens, std::vector<AddedToken> added = {},
                   const std::vector<int>& unlisted = {});
  /// Says which tokens stand before and behind every text. Refuses one that does not exist.
  Status setSigns(const TextSigns& signs);
  /// Makes `name` a special token that stands for what is unknown. Refuses a vocabulary without it.
  Status setUnknown(std::string_view name = unknownName);

 private:
  /// Appends the tokens of text without special tokens, the part of a whole that begins at byte `offset`.
  /// They cover it; where there is no token for its end, the last of `tokens` may be made longer instead.
  virtual void appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const = 0;
  /// Whether two tokenizers of this kind with the same tokens encode alike.
  virtual bool sameRules(const Tokenizer& /*other*/) const { return true; }

  void add(AddedToken token);
  const AddedToken* addedAt(std::string_view text, std::size_t at) const;
  Token spaced(std::string_view text, std::size_t from, std::size_t at, const AddedToken& added) const;
  /// Whether a single space before this special token belongs to it.
  virtual bool takesSpace(int /*id*/) const { return false; }

  struct BytesHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view bytes) const { return std::hash<std::string_view>{}(bytes); }
  };
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, int, BytesHash, std::equal_to<>> idOfBytes_;
  std::vector<AddedToken> added_;
  int endOfText_ = -1, startOfText_ = -1, closeOfText_ = -1, mask_ = -1, unknown_ = -1;
};

}  // namespace glassformer
