#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"

namespace glassformer {

/// A stretch of bytes.
struct TextRange {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// A text and the pieces that it has been cut into so far. Pieces are in order and not empty; what lies
/// between them has been removed.
struct CutText {
  AlignedText text;
  std::vector<TextRange> pieces;
  bool isStart = true;  ///< it is the beginning of the original

  explicit CutText(AlignedText whole, bool isStart = true);
  std::string_view bytesOf(TextRange piece) const {
    return std::string_view(text.text()).substr(piece.begin, piece.size());
  }
};

/// A stretch of a normalized text: cut into words, or an added token.
struct TextPart {
  CutText cut;
  int added = -1;  ///< its id; −1: it is none
};

/// Finds all matches in a text, which come in order; one may be empty.
using TextMatcher = std::function<std::vector<TextRange>(std::string_view)>;

/// What becomes of a match where a text is cut, as Hugging Face's tokenizers library calls it.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// Cuts every piece by the matches in it, or, inverted, by what lies between them.
void cutPieces(CutText& cut, const TextMatcher& matches, SplitBehavior behavior, bool isInverted = false);

/// Rewrites every piece by itself; `rewrite` gets the piece and writes all of it.
void rewritePieces(CutText& cut, const std::function<void(TextRange, Rewriting&)>& rewrite);

/// Matches single characters.
TextMatcher charactersWhere(bool (*matches)(char32_t));

}  // namespace glassformer
