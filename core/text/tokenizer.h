#pragma once
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/bos_eos_tokens.h"
#include "core/text/token_index.h"

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
  bool normalized = false;   ///< looked for in the text as the normalizer leaves it
  bool operator==(const AddedToken&) const = default;
};

/// A piece of a text inside which tokens are joined.
struct TextWord {
  std::size_t begin = 0, end = 0;  ///< its bytes in the text
  std::string bytes;               ///< as they are joined: as the normalizer leaves them
  std::vector<int> units;          ///< the tokens that it is joined from
  bool areCharacters = false;      ///< these are characters, and bytes only where there is no token of one
  bool isAdded = false;            ///< an added token of the normalized text, in which nothing is joined
};

class Tokenizer;
struct TextPipeline;
struct TokenizerFile;
struct TextPart;

/// A way to cut text into tokens: an entry of tokenizers().
struct TokenizerKind {
  std::string id;       ///< "words"
  std::string name;     ///< "Words"
  std::string meaning;  ///< one line: what a token is
  /// Null where the file is of another kind; an error, naming file and field, where it is of this kind but
  /// damaged.
  Result<std::shared_ptr<const Tokenizer>> (*read)(TokenizerFile& file);
  /// The field "model" of a tokenizer.json. The tokenizer must be of this kind.
  nlohmann::ordered_json (*writeModel)(const Tokenizer& tokenizer);
  /// The same in the older form of several files, by their names, where a tokenizer has one.
  std::map<std::string, std::string> (*writeOlder)(const Tokenizer& tokenizer) = nullptr;
};

/// Cuts texts into the tokens of a vocabulary, as a tokenizer.json says: added tokens are recognised where
/// they are written out; what stands between them is normalized and cut into words, of which the kind makes
/// tokens.
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
  /// Ids of the tokens that a model has learned texts between, though nobody writes them.
  const std::vector<int>& startTokens() const { return startTokens_; }
  const std::vector<int>& closeTokens() const { return closeTokens_; }
  /// The last before a text, and the first behind it; −1: there is none.
  int startOfText() const { return startTokens_.empty() ? -1 : startTokens_.back(); }
  int closeOfText() const { return closeTokens_.empty() ? -1 : closeTokens_.front(); }
  int mask() const { return mask_; }        ///< id of `<|mask|>`, -1 when there is none
  int unknown() const { return unknown_; }  ///< id of `<unk>`, -1 for kinds that know every text
  bool isSpecial(int id) const;
  const std::vector<AddedToken>& added() const { return added_; }  ///< special or not, in the order of ids
  /// Id of the token with exactly these bytes, -1 when there is none.
  int find(std::string_view bytes) const;
  /// Empty for an id that no token has: models may have room for more.
  const std::string& tokenBytes(int id) const;
  /// The same as the vocabulary writes them: "Ġthe", "▁the", "<0x0A>".
  int findWritten(std::string_view token) const { return idOfWritten_.find(token, written_); }
  const std::string& written(int id) const;
  const TextPipeline& pipeline() const { return *pipeline_; }

  /// What cuts the sources of a model that reads one into the same tokens: mostly this.
  virtual const Tokenizer& ofSources() const { return *this; }
  /// The same, with another one for sources, as Marian has it. Refuses one with other tokens; only kinds that
  /// such models have take one.
  virtual Result<std::shared_ptr<const Tokenizer>> withSources(
      std::shared_ptr<const Tokenizer> sources) const;

  Tokenization encode(std::string_view text) const;
  std::vector<int> encodeIds(std::string_view text) const;
  /// The first added token written out at or behind byte `from`; of several there the longest. Those that are
  /// looked for in normalized texts are not among them.
  std::optional<Token> nextAdded(std::string_view text, std::size_t from) const;
  /// What the token adds to a text that it is written behind.
  virtual std::string writtenBehind(int id) const;
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

  bool operator==(const Tokenizer& other) const;

 protected:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = default;
  Tokenizer(Tokenizer&&) = default;
  Tokenizer& operator=(const Tokenizer&) = default;
  Tokenizer& operator=(Tokenizer&&) = default;

  /// To be called once, first of all: `tokens[id]` are the tokens as the vocabulary writes them, empty for
  /// an id without one. Refuses a repeated token, and signs that are no tokens. `<|endoftext|>` and
  /// `<|mask|>` are added wherever they are among the tokens. Of the names that others give them the first
  /// one that is added is the end of a text, and the mask. `unknown` stands for what is unknown, and is
  /// added; empty: no token does.
  Status setTokens(std::vector<std::string> tokens, std::vector<AddedToken> added,
                   std::shared_ptr<const TextPipeline> pipeline, const std::string& unknown = "");
  /// The same of tokens that may be called alike, and are not looked for.
  void nameTokens(std::vector<std::string> tokens, std::shared_ptr<const TextPipeline> pipeline);
  /// Makes `name` the token that stands for what is unknown. Refuses a vocabulary without it.
  Status setUnknown(const std::string& name);

  /// Appends the tokens of text without added tokens, the part of a whole that begins at byte `offset`. They
  /// cover it; where there is no token for its end, the last of `tokens` may be made longer instead.
  virtual void appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const;
  /// A text without added tokens, normalized and cut into words, and the added tokens that only now are
  /// found.
  std::vector<TextPart> partsOf(std::string_view text, bool isStart) const;

 private:
  /// The tokens of one word, of which the pre-tokenizer has made pieces. They hold places in the word.
  virtual std::vector<Token> tokensOf(std::string_view word) const = 0;
  /// Whether two tokenizers of this kind with the same tokens encode alike.
  virtual bool sameRules(const Tokenizer& /*other*/) const { return true; }

  void add(AddedToken token);
  void indexAdded();
  void setNames();
  bool isBytePiece(int id) const;
  Status setSigns(const BosEosTokens& signs);
  std::optional<Token> nextOf(const WrittenTexts& texts, std::string_view text, std::size_t from) const;
  bool isApart(const AddedToken& token, std::string_view text, std::size_t begin, std::size_t end) const;
  Token spaced(std::string_view text, std::size_t from, Token found, const AddedToken& added) const;
  /// Whether a single space before this special token belongs to it.
  virtual bool takesSpace(int /*id*/) const { return false; }

  std::vector<std::string> written_, tokens_;
  TokenIndex idOfWritten_, idOfBytes_;
  WrittenTexts addedToTexts_, addedToNormalized_;
  std::vector<AddedToken> added_;
  std::shared_ptr<const TextPipeline> pipeline_;
  std::vector<int> startTokens_, closeTokens_;
  int endOfText_ = -1, mask_ = -1, unknown_ = -1;
};

}  // namespace glassformer
