#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/document/tokenized_text.h"
#include "app/engine/word_merges.h"
#include "core/lens/prediction.h"
#include "core/trace/trace.h"

namespace glassformer {

/// A token and the bytes of the text it stands for.
struct TokenPiece {
  int id = 0;
  std::string label;  ///< safe to draw: spaces and line breaks as signs
  std::size_t begin = 0, end = 0;

  /// Whether it stands for bytes of the text. The signs around it, and what only the other text has, do not.
  bool isWritten() const { return end > begin; }
};

/// A pass of the model over a text: what it read, all that it computed, and what was measured on that. A text
/// that cannot be read has tokens, but no trace.
struct ShownPass {
  std::string text;  ///< that `tokens` are of
  /// Where the model writes after a start sign, or fills in between signs, these are there, too, and are not
  /// written.
  std::vector<TokenPiece> tokens;
  std::string source;                                    ///< what is read beside the text
  std::vector<TokenPiece> sourceTokens;                  ///< only of a model that reads a source
  std::shared_ptr<const std::vector<WordMerges>> words;  ///< only where the view shows them
  Stream wordsOf = Stream::Text;                         ///< in which text they are
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const TensorSet> measurements;  ///< lens.*: of this trace
  std::string name;  ///< of a pass that was run again for one of its numbers; empty: it is the shown one
  int attributedEntry = -1;        ///< whose logit the residual view takes apart
  Prediction predicted;            ///< whose logit the influence view asks about
  std::vector<bool> trained = {};  ///< tokens that the model's task trains, see trainedTokens()

  bool hasTrace() const { return trace && trace->tokenCount() > 0; }
  /// Whether the model read all of the text: as much as its context takes.
  bool isWhole() const { return trace && trace->tokens().size() == tokens.size(); }
  const std::vector<TokenPiece>& tokensOf(Stream stream) const {
    return stream == Stream::Text ? tokens : sourceTokens;
  }
  const std::string& textOf(Stream stream) const { return stream == Stream::Text ? text : source; }
  /// How many of them the model has read.
  int countOf(Stream stream) const {
    if (!trace) return 0;
    return static_cast<int>(stream == Stream::Text ? trace->tokens().size() : trace->source().size());
  }
  /// The text with its tokens, for edits of one of them.
  TokenizedText tokenized(Stream stream = Stream::Text) const {
    TokenizedText cut{textOf(stream), {}};
    for (const TokenPiece& token : tokensOf(stream)) cut.tokens.push_back({token.begin, token.end});
    return cut;
  }
};

}  // namespace glassformer
