#pragma once
#include <map>
#include <set>

#include "app/figure/figure_fonts.h"
#include "app/figure/pen.h"

namespace glassformer {

/// Writes SVG elements. Not cairo's SVG surface, which turns every letter into a path: here text stays text,
/// to be selected, searched, translated and restyled in a browser, in Inkscape or on a slide. Each line is
/// one <text> element at the baseline the window uses, anchored where the scene aligns it, so that even
/// another font stays in its place; the glyphs used are embedded as small subsets of their fonts. What joins
/// or runs from right to left is left to the viewer, as one whole string with its direction.
class SvgPen : public Pen {
 public:
  explicit SvgPen(const FigureFonts& fonts) : fonts_(fonts) {}

  /// All elements so far.
  const std::string& body() const { return body_; }
  /// Ends every id in a body; a file's own ending stands in its place (see svgFile).
  static constexpr char idEnd = '\x02';
  /// @font-face rules with the subsets of the fonts that the texts so far need.
  std::string fontFaces() const;

  void rectangle(const Box& box, float radius, Rgba fill) override;
  void frame(const Box& box, float radius, Rgba color, float width) override;
  void polyline(std::span<const Point> points, Rgba color, float width) override;
  void polygon(std::span<const Point> points, Rgba fill) override;
  void facet(std::span<const Point> points, Rgba fill) override;
  void bezier(const std::array<Point, 4>& points, Rgba color, float width) override;
  void gradient(const Box& box, bool vertical, std::span<const Rgba> colors) override;
  void cells(const Box& box, const CellColors& colors) override;
  void text(const PlacedText& text) override;
  void pushClip(const Box& box) override;
  void pushPlacement(Point origin, float scale) override;
  void pop() override;

 private:
  // What of a font the texts so far need.
  struct UsedFont {
    std::shared_ptr<const Font> font;
    std::set<char32_t> characters;
    bool shaped = false;
  };
  void image(const Box& box, const CellColors& colors);
  void use(const ShapedRun& run, std::string_view text);

  const FigureFonts& fonts_;
  std::string body_;
  int names_ = 0;                         // of gradients and clips
  std::map<std::string, UsedFont> used_;  // by the font's name
};

/// Text between tags and in attributes: markup quoted, what XML cannot hold replaced.
std::string xmlText(std::string_view text);

}  // namespace glassformer
