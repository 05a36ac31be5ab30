#include "core/text/word_piece.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/word_piece_file.h"

namespace glassformer {
namespace {

// Where the word or mark that begins at a character ends.
std::size_t pieceEnd(const BertText& text, std::size_t at) {
  if (isPunctuation(text[at])) return at + 1;
  while (at < text.count() && !isWhiteSpace(text[at]) && !isPunctuation(text[at])) ++at;
  return at;
}

void replaceAll(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

Result<WordPiece> WordPiece::create(std::vector<std::string> tokens, WordPieceRules rules,
                                    std::vector<AddedToken> added) {
  WordPiece made;
  made.rules_ = std::move(rules);
  for (const std::string& token : tokens) made.longestToken_ = std::max(made.longestToken_, token.size());
  if (Status status = made.setTokens(std::move(tokens), std::move(added)); !status) return status.error();
  if (Status status = made.setUnknown(made.rules_.unknown); !status) return status.error();
  if (Status status = made.setSigns(made.rules_.signs); !status) return status.error();
  return made;
}

const TokenizerKind& WordPiece::kind() const { return wordPieceTokenizer(); }

bool WordPiece::sameRules(const Tokenizer& other) const {
  return rules_ == static_cast<const WordPiece&>(other).rules_;
}

// The longest token that the rest of the word begins with, again and again. Tokens hold places of characters.
std::vector<Token> WordPiece::pieces(const BertText& text, std::size_t begin, std::size_t end) const {
  std::vector<Token> whole{{unknown(), static_cast<int>(begin), static_cast<int>(end)}};
  if (end - begin > static_cast<std::size_t>(rules_.longestWord)) return whole;
  std::vector<Token> pieces;
  for (std::size_t at = begin; at < end;) {
    std::size_t stop = std::min(end, at + longestToken_);
    int id = -1;
    for (; stop > at; --stop)
      if (id = find((at > begin ? rules_.inside : "") + text.between(at, stop)); id >= 0) break;
    if (id < 0) return whole;
    pieces.push_back({id, static_cast<int>(at), static_cast<int>(stop)});
    at = stop;
  }
  return pieces;
}

void WordPiece::appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const {
  const BertText normalized(rules_.normalization, text);
  for (std::size_t at = 0; at < normalized.count();) {
    if (isWhiteSpace(normalized[at])) {
      ++at;
      continue;
    }
    const std::size_t end = pieceEnd(normalized, at);
    for (const Token& piece : pieces(normalized, at, end)) {
      const int begin = tokens.empty() ? static_cast<int>(offset) : tokens.back().end;
      const auto stop = offset + normalized.originOf(static_cast<std::size_t>(piece.end));
      tokens.push_back({piece.id, begin, static_cast<int>(stop)});
    }
    at = end;
  }
  if (!tokens.empty()) tokens.back().end = static_cast<int>(offset + text.size());
}

std::string WordPiece::writtenBehind(int id) const {
  const std::string& token = tokenBytes(id);
  return tidied(token.starts_with(rules_.inside) ? token.substr(rules_.inside.size()) : " " + token);
}

// What a token adds, without the space before a mark and inside of contractions.
std::string WordPiece::tidied(std::string written) const {
  using Rewrite = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Rewrite, 11> rewrites{{{" .", "."},
                                              {" ?", "?"},
                                              {" !", "!"},
                                              {" ,", ","},
                                              {" ' ", "'"},
                                              {" n't", "n't"},
                                              {" 'm", "'m"},
                                              {" do not", " don't"},
                                              {" 's", "'s"},
                                              {" 've", "'ve"},
                                              {" 're", "'re"}}};
  for (const auto& [what, by] : rewrites)
    if (rules_.tidies) replaceAll(written, what, by);
  return written;
}

// The first token is written as it is.
std::string WordPiece::decode(std::span<const int> ids) const {
  std::string text;
  bool isFirst = true;
  for (const int id : ids)
    if (!tokenBytes(id).empty())
      text += std::exchange(isFirst, false) ? tidied(tokenBytes(id)) : writtenBehind(id);
  return text;
}

const TokenizerKind& wordPieceTokenizer() {
  static const TokenizerKind kind{"word-pieces", "Word pieces",
                                  "the longest known beginning of a word, then of what is left of it",
                                  readWordPieceFile, [](const Tokenizer& tokenizer) {
                                    return writeWordPieceFile(static_cast<const WordPiece&>(tokenizer));
                                  }};
  return kind;
}

}  // namespace glassformer
