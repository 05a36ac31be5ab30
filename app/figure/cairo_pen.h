#pragma once
#include "app/figure/figure_fonts.h"
#include "app/figure/pen.h"

typedef struct _cairo cairo_t;  // NOLINT(bugprone-reserved-identifier): the name is cairo's

namespace glassformer {

/// Draws with cairo: on pixels, or on a surface that keeps vectors (PDF). Text is shown as glyphs of the
/// built-in fonts together with its characters, so that a PDF embeds the fonts and its text can be searched.
class CairoPen : public Pen {
 public:
  enum class Surface { Pixels, Vectors };
  CairoPen(cairo_t* cairo, const FigureFonts& fonts, Surface surface)
      : cairo_(cairo), fonts_(fonts), surface_(surface) {}

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
  void color(Rgba c) const;
  void trace(const Box& box, float radius) const;
  void stroke(Rgba c, float width) const;
  void image(const Box& box, const CellColors& colors, int enlarged) const;

  cairo_t* cairo_;
  const FigureFonts& fonts_;
  Surface surface_;
};

}  // namespace glassformer
