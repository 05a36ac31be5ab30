#include "core/text/cut_text.h"

#include <algorithm>
#include <utility>

#include "core/text/utf8.h"

namespace glassformer {
namespace {

// A match, or what lies between two.
struct Stretch {
  TextRange range;
  bool isMatch = false;
};

std::vector<Stretch> stretchesOf(std::string_view text, const TextMatcher& matches, bool isInverted) {
  std::vector<Stretch> stretches;
  std::size_t at = 0;
  for (const TextRange match : matches(text)) {
    if (match.begin > at) stretches.push_back({{at, match.begin}, isInverted});
    stretches.push_back({match, !isInverted});
    at = match.end;
  }
  if (at < text.size()) stretches.push_back({{at, text.size()}, isInverted});
  return stretches;
}

// One that goes on with the stretch before it where `joins` says so of both.
template <typename Joins>
std::vector<TextRange> joinedStretches(const std::vector<Stretch>& stretches, Joins joins) {
  std::vector<TextRange> joined;
  bool wasMatch = false;
  for (const auto& [range, isMatch] : stretches) {
    if (joins(isMatch, std::exchange(wasMatch, isMatch)) && !joined.empty())
      joined.back() = {std::min(joined.back().begin, range.begin), std::max(joined.back().end, range.end)};
    else
      joined.push_back(range);
  }
  return joined;
}

std::vector<TextRange> piecesOf(std::vector<Stretch> stretches, SplitBehavior behavior) {
  const auto joinsMatch = [](bool isMatch, bool wasMatch) { return isMatch && !wasMatch; };
  switch (behavior) {
    case SplitBehavior::Removed:
      std::erase_if(stretches, &Stretch::isMatch);
      [[fallthrough]];
    case SplitBehavior::Isolated:
      return joinedStretches(stretches, [](bool, bool) { return false; });
    case SplitBehavior::Contiguous:
      return joinedStretches(stretches, [](bool isMatch, bool wasMatch) { return isMatch == wasMatch; });
    case SplitBehavior::MergedWithPrevious:
      return joinedStretches(stretches, joinsMatch);
    case SplitBehavior::MergedWithNext:
      std::ranges::reverse(stretches);
      std::vector<TextRange> pieces = joinedStretches(stretches, joinsMatch);
      std::ranges::reverse(pieces);
      return pieces;
  }
  return {};
}

}  // namespace

CutText::CutText(AlignedText whole, bool starts) : text(std::move(whole)), isStart(starts) {
  if (text.size() > 0) pieces.push_back({0, text.size()});
}

void cutPieces(CutText& cut, const TextMatcher& matches, SplitBehavior behavior, bool isInverted) {
  std::vector<TextRange> pieces;
  for (const TextRange whole : cut.pieces)
    for (const TextRange part : piecesOf(stretchesOf(cut.bytesOf(whole), matches, isInverted), behavior))
      if (part.size() > 0) pieces.push_back({whole.begin + part.begin, whole.begin + part.end});
  cut.pieces = std::move(pieces);
}

void rewritePieces(CutText& cut, const std::function<void(TextRange, Rewriting&)>& rewrite) {
  Rewriting rewriting(cut.text);
  std::vector<TextRange> pieces;
  for (const TextRange piece : cut.pieces) {
    rewriting.skip(piece.begin);
    const std::size_t begin = rewriting.size();
    rewrite(piece, rewriting);
    if (rewriting.size() > begin) pieces.push_back({begin, rewriting.size()});
  }
  cut.text = std::move(rewriting).done();
  cut.pieces = std::move(pieces);
}

TextMatcher charactersWhere(bool (*matches)(char32_t)) {
  return [matches](std::string_view text) {
    std::vector<TextRange> found;
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint point = codePointAt(text, at);
      const std::size_t end = at + static_cast<std::size_t>(point.bytes);
      if (point.valid && matches(point.value)) found.push_back({at, end});
      at = end;
    }
    return found;
  };
}

}  // namespace glassformer
