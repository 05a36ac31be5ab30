#include "core/text/word_piece.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/text_pipeline.h"
#include "core/text/utf8.h"
#include "core/text/word_piece_file.h"

namespace glassformer {
namespace {

int characterCount(std::string_view text) {
  int count = 0;
  for (std::size_t at = 0; at < text.size(); at = nextCharacter(text, at)) ++count;
  return count;
}

}  // namespace

std::shared_ptr<const TextPipeline> bertPipeline(const BertNormalization& normalization,
                                                 const BosEosTokens& signs) {
  TextPipeline pipeline =
      TextPipeline::of({{"normalizer",
                         {{"type", "BertNormalizer"},
                          {"clean_text", normalization.cleans},
                          {"handle_chinese_chars", normalization.parts},
                          {"strip_accents", normalization.removesAccents},
                          {"lowercase", normalization.writesInSmall}}},
                        {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
                        {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}}});
  pipeline.signs = signs;
  return std::make_shared<const TextPipeline>(std::move(pipeline));
}

Result<WordPiece> WordPiece::create(std::vector<std::string> tokens, WordPieceRules rules,
                                    std::vector<AddedToken> added,
                                    std::shared_ptr<const TextPipeline> pipeline) {
  WordPiece made;
  made.rules_ = std::move(rules);
  for (const std::string& token : tokens) made.longestToken_ = std::max(made.longestToken_, token.size());
  if (Status status =
          made.setTokens(std::move(tokens), std::move(added), std::move(pipeline), made.rules_.unknown);
      !status)
    return status.error();
  return made;
}

const TokenizerKind& WordPiece::kind() const { return wordPieceTokenizer(); }

bool WordPiece::sameRules(const Tokenizer& other) const {
  return rules_ == static_cast<const WordPiece&>(other).rules_;
}

// The longest token that the rest of the word begins with, again and again.
std::vector<Token> WordPiece::tokensOf(std::string_view word) const {
  const std::vector<Token> whole{{unknown(), 0, static_cast<int>(word.size())}};
  if (characterCount(word) > rules_.longestWord) return whole;
  std::vector<Token> pieces;
  for (std::size_t at = 0; at < word.size();) {
    std::size_t stop = std::min(word.size(), at + longestToken_);
    if (stop < word.size()) stop = previousCharacter(word, nextCharacter(word, stop));
    int id = -1;
    for (; stop > at; stop = previousCharacter(word, stop))
      if (id = findWritten((at > 0 ? rules_.inside : "") + std::string(word.substr(at, stop - at))); id >= 0)
        break;
    if (id < 0) return whole;
    pieces.push_back({id, static_cast<int>(at), static_cast<int>(stop)});
    at = stop;
  }
  return pieces;
}

const TokenizerKind& wordPieceTokenizer() {
  static const TokenizerKind kind{"word-pieces", "Word pieces",
                                  "the longest known prefix of a word, then of the rest", readWordPieceFile,
                                  wordPieceModel};
  return kind;
}

}  // namespace glassformer
