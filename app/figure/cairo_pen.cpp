#include "app/figure/cairo_pen.h"

#include <cairo.h>

#include <numbers>

#include "app/figure/cell_image.h"

namespace glassformer {

namespace {
double d(float v) { return static_cast<double>(v); }
}  // namespace

void CairoPen::color(Rgba c) const {
  cairo_set_source_rgba(cairo_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

void CairoPen::trace(const Box& b, float radius) const {
  const double r = d(std::min({radius, b.width / 2, b.height / 2})), quarter = std::numbers::pi / 2;
  if (r <= 0) return cairo_rectangle(cairo_, d(b.x), d(b.y), d(b.width), d(b.height));
  cairo_new_sub_path(cairo_);
  cairo_arc(cairo_, d(b.right()) - r, d(b.y) + r, r, -quarter, 0);
  cairo_arc(cairo_, d(b.right()) - r, d(b.bottom()) - r, r, 0, quarter);
  cairo_arc(cairo_, d(b.x) + r, d(b.bottom()) - r, r, quarter, 2 * quarter);
  cairo_arc(cairo_, d(b.x) + r, d(b.y) + r, r, 2 * quarter, 3 * quarter);
  cairo_close_path(cairo_);
}

void CairoPen::stroke(Rgba c, float width) const {
  color(c);
  cairo_set_line_width(cairo_, d(width));
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(cairo_);
}

void CairoPen::rectangle(const Box& box, float radius, Rgba fill) {
  trace(box, radius);
  color(fill);
  cairo_fill(cairo_);
}

void CairoPen::frame(const Box& box, float radius, Rgba c, float width) {
  trace(box, radius);
  stroke(c, width);
}

void CairoPen::polyline(std::span<const Point> points, Rgba c, float width) {
  for (const Point& p : points) cairo_line_to(cairo_, d(p.x), d(p.y));
  stroke(c, width);
}

void CairoPen::polygon(std::span<const Point> points, Rgba fill) {
  for (const Point& p : points) cairo_line_to(cairo_, d(p.x), d(p.y));
  cairo_close_path(cairo_);
  color(fill);
  cairo_fill(cairo_);
}

// Reaches a quarter of a pixel under what is drawn next.
void CairoPen::facet(std::span<const Point> points, Rgba c) {
  for (const Point& p : points) cairo_line_to(cairo_, d(p.x), d(p.y));
  cairo_close_path(cairo_);
  color(c);
  cairo_fill_preserve(cairo_);
  stroke(c, 0.5f);
}

void CairoPen::bezier(const std::array<Point, 4>& p, Rgba c, float width) {
  cairo_move_to(cairo_, d(p[0].x), d(p[0].y));
  cairo_curve_to(cairo_, d(p[1].x), d(p[1].y), d(p[2].x), d(p[2].y), d(p[3].x), d(p[3].y));
  stroke(c, width);
}

void CairoPen::gradient(const Box& b, bool vertical, std::span<const Rgba> colors) {
  cairo_pattern_t* gradient = vertical ? cairo_pattern_create_linear(d(b.x), d(b.bottom()), d(b.x), d(b.y))
                                       : cairo_pattern_create_linear(d(b.x), d(b.y), d(b.right()), d(b.y));
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const Rgba c = colors[i];
    cairo_pattern_add_color_stop_rgba(gradient,
                                      static_cast<double>(i) / static_cast<double>(colors.size() - 1),
                                      c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
  }
  trace(b, 0);
  cairo_set_source(cairo_, gradient);
  cairo_fill(cairo_);
  cairo_pattern_destroy(gradient);
}

void CairoPen::cells(const Box& box, const CellColors& colors) {
  if (surface_ == Surface::Pixels) return image(box, colors, 1);
  if (!asRectangles(colors)) return image(box, colors, enlargementOf(box, colors));
  forEachRun(box, colors, [&](const Box& run, Rgba fill) { rectangle(run, 0, fill); });
}

void CairoPen::image(const Box& box, const CellColors& colors, int enlarged) const {
  const CairoSurface cells = cellImage(colors, enlarged);
  cairo_save(cairo_);
  cairo_translate(cairo_, d(box.x), d(box.y));
  cairo_scale(cairo_, d(box.width) / (colors.columns * enlarged), d(box.height) / (colors.rows * enlarged));
  cairo_set_source_surface(cairo_, cells.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(cairo_), CAIRO_EXTEND_PAD);
  cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_NONE);
  cairo_rectangle(cairo_, 0, 0, colors.columns * enlarged, colors.rows * enlarged);
  cairo_fill(cairo_);
  cairo_restore(cairo_);
}

void CairoPen::text(const PlacedText& text) {
  const float width = fonts_.width(text.text, text.style.face, text.style.size);
  cairo_save(cairo_);
  cairo_translate(cairo_, d(text.at.x), d(text.at.y));
  if (text.upright) cairo_rotate(cairo_, -std::numbers::pi / 2);
  if (text.anchor != Align::Start)
    cairo_translate(cairo_, d(text.anchor == Align::Middle ? -width / 2 : -width), 0);
  color(text.style.color);
  fonts_.draw(cairo_, text.text, text.style.face, text.style.size);
  cairo_restore(cairo_);
}

void CairoPen::pushClip(const Box& box) {
  cairo_save(cairo_);
  trace(box, 0);
  cairo_clip(cairo_);
}

void CairoPen::pushPlacement(Point origin, float scale) {
  cairo_save(cairo_);
  cairo_translate(cairo_, d(origin.x), d(origin.y));
  cairo_scale(cairo_, d(scale), d(scale));
}

void CairoPen::pop() { cairo_restore(cairo_); }

}  // namespace glassformer
