#include "app/lesson/prose.h"

#include <algorithm>
#include <utility>

#include "app/lesson/equation.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float lineHeight = 1.5f, paragraphGap = 0.6f, itemIndent = 1.25f, tokenPadding = 0.22f;

// What is not broken between lines: a word, an ideograph, or an equation.
struct WordBox {
  float width = 0, above = 0, below = 0;
  float space = 0;      ///< before it, within a line
  bool breaks = false;  ///< whether a line may begin with it, though no space is before it
  bool ends = false;    ///< whether the line ends with it
  bool joins = false;   ///< the token before it, in one frame
  std::string target;   ///< of a link
  std::vector<Shape> shapes;
};

// Unicode's blocks of ideographs, kana and full-width signs: a line may end behind any of them, but where a
// sign that closes follows, or one that opens is the last (UAX #14: ID, CL, OP).
bool isIdeograph(char32_t c) {
  return (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF00 && c <= 0xFFEF) || (c >= 0x20000 && c <= 0x3FFFD);
}
constexpr std::u32string_view closingSigns =
                                  U"、。，．：；？！）」』】〉》〕］｝ーっゃゅょッャュョ々,.:;?!)]}”’",
                              openingSigns = U"（「『【〈《〔［｛([{“‘";
bool mayBreakBetween(char32_t last, char32_t next) {
  return (isIdeograph(last) || isIdeograph(next)) && openingSigns.find(last) == openingSigns.npos &&
         closingSigns.find(next) == closingSigns.npos;
}

// Where a word may be broken, each piece to its end.
std::vector<std::string> breakable(const std::string& word) {
  std::vector<std::string> pieces(1);
  char32_t last = 0;
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint point = codePointAt(word, at);
    if (at > 0 && mayBreakBetween(last, point.value)) pieces.emplace_back();
    pieces.back() += word.substr(at, static_cast<std::size_t>(point.bytes));
    at += static_cast<std::size_t>(point.bytes), last = point.value;
  }
  return pieces;
}

class Lines {
 public:
  Lines(Point at, float width, const TextMetrics& metrics, const Theme& theme, float size)
      : at_(at), width_(width), metrics_(metrics), theme_(theme), size_(size), y_(at.y) {}

  void add(const Paragraph& paragraph) {
    if (!first_) y_ += paragraphGap * size_;
    first_ = false;
    const bool item = paragraph.kind == Paragraph::Kind::Item;
    const bool heading = paragraph.kind == Paragraph::Kind::Heading;
    const float indent = itemIndent * size_ * static_cast<float>(paragraph.depth);
    if (item) addMark(paragraph.mark, indent);
    std::vector<WordBox> line;
    float used = 0;
    for (WordBox& piece : pieces(paragraph, heading, width_ - indent)) {
      if (!line.empty() && used + piece.space + piece.width > width_ - indent) {
        place(line, indent);
        used = 0;
      }
      used += (line.empty() ? 0 : piece.space) + piece.width;
      const bool ends = piece.ends;
      line.push_back(std::move(piece));
      if (ends) place(line, indent), used = 0;
    }
    if (!line.empty()) place(line, indent);
  }

  LaidProse finished() {
    laid_.height = y_ - at_.y;
    return std::move(laid_);
  }

 private:
  void addMark(const std::string& mark, float indent) {
    Text text{{at_.x + indent - 0.4f * size_, y_ + lineHeight * size_ / 2},
              mark,
              {FontFace::Ui, size_, theme_.quiet}};
    text.horizontal = Align::End;
    laid_.shapes.emplace_back(std::move(text));
  }

  std::vector<WordBox> pieces(const Paragraph& paragraph, bool heading, float room) const {
    std::vector<WordBox> all;
    bool spaced = false;
    for (const Span& span : paragraph.spans) {
      if (span.style == Span::Style::Break) {
        if (!all.empty()) all.back().ends = true;
        spaced = false;
        continue;
      }
      if (span.style == Span::Style::Math) {
        all.push_back(equation(span.text));
        all.back().space = spaced ? space() : 0;
        spaced = false;
        continue;
      }
      std::size_t at = 0;
      while (at < span.text.size()) {
        const std::size_t end = std::min(span.text.find(' ', at), span.text.size());
        const Span::Style style = heading ? Span::Style::Strong : span.style;
        const float most = room - (style == Span::Style::Token ? 2 * tokenPadding * size_ : 0);
        bool isInside = false, joins = at > 0 && style == Span::Style::Token;
        for (const std::string& piece : breakable(span.text.substr(at, end - at)))
          for (const std::string& cut : wrapped(metrics_, piece, faceOf(style), sizeOf(style), most)) {
            all.push_back(word(cut, style));
            all.back().space = spaced ? space() : 0;
            all.back().breaks = isInside;
            all.back().target = span.target;
            all.back().joins = std::exchange(joins, false);
            spaced = false, isInside = true;
          }
        if (end < span.text.size()) spaced = true;
        at = end + 1;
      }
    }
    return joined(std::move(all));
  }

  // What no space parts stays together: a word and the full stop behind it.
  static std::vector<WordBox> joined(std::vector<WordBox> all) {
    std::vector<WordBox> whole;
    for (WordBox& piece : all) {
      if (whole.empty() || piece.space > 0 || piece.breaks || whole.back().ends) {
        whole.push_back(std::move(piece));
        continue;
      }
      WordBox& last = whole.back();
      for (Shape& shape : piece.shapes) last.shapes.push_back(moved(std::move(shape), last.width, 0));
      last.width += piece.width, last.ends = piece.ends;
      if (!piece.target.empty()) last.target = piece.target;
      last.above = std::max(last.above, piece.above), last.below = std::max(last.below, piece.below);
    }
    return whole;
  }

  float space() const { return metrics_.width(" ", FontFace::Ui, size_); }

  static FontFace faceOf(Span::Style style) {
    return style == Span::Style::Token    ? FontFace::Mono
           : style == Span::Style::Strong ? FontFace::Strong
                                          : FontFace::Ui;
  }
  float sizeOf(Span::Style style) const { return style == Span::Style::Token ? size_ * 0.92f : size_; }

  WordBox word(const std::string& text, Span::Style style) const {
    const bool token = style == Span::Style::Token;
    const FontFace face = faceOf(style);
    const float size = sizeOf(style), padding = token ? tokenPadding * size_ : 0;
    WordBox piece;
    piece.width = metrics_.width(text, face, size) + 2 * padding;
    piece.above = piece.below = lineHeight * size_ / 2;
    if (token)
      piece.shapes.emplace_back(
          Rect{{0, -0.68f * size_, piece.width, 1.36f * size_}, theme_.raised, {0, 0, 0, 0}, 4});
    const Rgba color = style == Span::Style::Link ? theme_.accent : theme_.text;
    piece.shapes.emplace_back(Text{{padding, 0}, text, {face, size, color}});
    return piece;
  }

  WordBox equation(const std::string& tex) const {
    const auto set = setEquation(tex, metrics_, size_ * 1.04f, theme_.text);
    WordBox piece;
    if (!set) return word(tex, Span::Style::Token);  // is not read from a file like that
    piece.width = set->width, piece.above = set->above + 2, piece.below = set->below + 2;
    for (const Text& text : set->texts) piece.shapes.emplace_back(text);
    for (const Rect& rule : set->rules) piece.shapes.emplace_back(rule);
    return piece;
  }

  static Shape moved(Shape shape, float x, float y) {
    if (auto* text = std::get_if<Text>(&shape)) text->at.x += x, text->at.y += y;
    if (auto* rect = std::get_if<Rect>(&shape)) rect->box.x += x, rect->box.y += y;
    return shape;
  }

  void place(std::vector<WordBox>& line, float indent) {
    float above = lineHeight * size_ / 2, below = above;
    for (const WordBox& piece : line)
      above = std::max(above, piece.above), below = std::max(below, piece.below);
    float x = at_.x + indent;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i > 0) x += line[i].space;
      if (i > 0 && line[i].joins) {
        const float overlap = tokenPadding * size_, left = x - line[i].space - overlap;
        const Box between{left, y_ + above - 0.68f * size_, x + overlap - left, 1.36f * size_};
        laid_.shapes.emplace_back(Rect{between, theme_.raised, {0, 0, 0, 0}});
      }
      for (Shape& shape : line[i].shapes) laid_.shapes.push_back(moved(std::move(shape), x, y_ + above));
      if (!line[i].target.empty())
        laid_.links.push_back({{x, y_, line[i].width, above + below}, line[i].target});
      x += line[i].width;
    }
    y_ += above + below;
    laid_.lineEnds.push_back(y_);
    line.clear();
  }

  Point at_;
  float width_;
  const TextMetrics& metrics_;
  const Theme& theme_;
  float size_, y_;
  bool first_ = true;
  LaidProse laid_;
};

}  // namespace

LaidProse layProse(std::span<const Paragraph> paragraphs, Point at, float width, const TextMetrics& metrics,
                   const Theme& theme, float size) {
  Lines lines(at, width, metrics, theme, size);
  for (const Paragraph& paragraph : paragraphs) lines.add(paragraph);
  return lines.finished();
}

}  // namespace glassformer
