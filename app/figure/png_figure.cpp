#include "app/figure/png_figure.h"

#include <cairo.h>
#include <cmath>
#include <memory>
#include <numbers>

namespace glassformer {
namespace {

double d(float v) { return static_cast<double>(v); }

// Draws one shape after the other; the counterpart of app/screen/scene_painter.cpp.
class Pen {
 public:
  Pen(cairo_t* cairo, const TensorSources& sources, const Theme& theme, const FigureFonts& fonts)
      : cairo_(cairo), sources_(sources), theme_(theme), fonts_(fonts) {}

  void operator()(const Rect& r) const {
    if (r.fill.a) {
      outline(r.box, r.radius);
      color(r.fill);
      cairo_fill(cairo_);
    }
    if (r.stroke.a) {
      outline(r.box.inset(r.strokeWidth / 2), r.radius);
      stroke(r.stroke, r.strokeWidth);
    }
  }

  void operator()(const Line& line) const {
    for (const Point& p : line.points) cairo_line_to(cairo_, d(p.x), d(p.y));
    stroke(line.color, line.width);
    if (line.arrow && line.points.size() > 1)
      arrowHead(line.points[line.points.size() - 2], line.points.back());
  }

  void operator()(const Matrix& matrix) const {
    const auto cells = plane(sources_, matrix.values);
    if (!cells) return;
    const int rows = cells->extent[0], columns = cells->extent[1];
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_NONE);  // neighbouring cells meet without a seam
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        box(matrix.box.cell(i, j, rows, columns));
        color(cell(matrix, i, j, (*cells)(i, j)).faded(matrix.opacity));
        cairo_fill(cairo_);
      }
    cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
  }

  void operator()(const ColorScale& scale) const {
    const Box& b = scale.box;
    cairo_pattern_t* gradient = scale.vertical
                                    ? cairo_pattern_create_linear(d(b.x), d(b.bottom()), d(b.x), d(b.y))
                                    : cairo_pattern_create_linear(d(b.x), d(b.y), d(b.right()), d(b.y));
    constexpr int steps = 32;
    for (int i = 0; i <= steps; ++i) {
      const Rgba c = colorAt(scale.map, static_cast<float>(i) / steps, theme_.dark);
      cairo_pattern_add_color_stop_rgba(gradient, i / double{steps}, c.r / 255.0, c.g / 255.0, c.b / 255.0,
                                        c.a / 255.0);
    }
    box(b);
    cairo_set_source(cairo_, gradient);
    cairo_fill(cairo_);
    cairo_pattern_destroy(gradient);
  }

  void operator()(const Curve& curve) const {
    const auto cells = plane(sources_, curve.values);
    if (!cells) return;
    const int count = cells->extent[1];
    for (int i = 0; i < count; ++i)
      if (const float v = (*cells)(0, i); std::isfinite(v)) {
        const Point p = curvePoint(curve, i, count, v);
        cairo_line_to(cairo_, d(p.x), d(p.y));
      }
    stroke(curve.color, curve.width);
  }

  void operator()(const Bar& bar) const {
    const auto value = valueOf(sources_, bar.value);
    if (!value || !std::isfinite(*value)) return;
    const Box filled = barBox(bar, *value);
    outline(filled, std::min({bar.radius, filled.width / 2, filled.height / 2}));
    color(bar.color);
    cairo_fill(cairo_);
  }

  void operator()(const Ribbon& ribbon) const {
    const auto value = valueOf(sources_, ribbon.value);
    if (!value || !std::isfinite(*value)) return;
    const auto [first, second] = ribbonControls(ribbon);
    cairo_move_to(cairo_, d(ribbon.from.x), d(ribbon.from.y));
    cairo_curve_to(cairo_, d(first.x), d(first.y), d(second.x), d(second.y), d(ribbon.to.x), d(ribbon.to.y));
    stroke(ribbon.color, std::max(1.0f, ribbonWidth(ribbon, *value)));
  }

  void operator()(const Text& text) const {
    const TextStyle& s = text.style;
    const std::string shown =
        text.maxWidth > 0 ? fitted(fonts_, text.text, s.face, s.size, text.maxWidth) : text.text;
    const auto shift = [](Align align, float extent) {
      return align == Align::Start ? 0 : align == Align::Middle ? -extent / 2 : -extent;
    };
    const float width = fonts_.width(shown, s.face, s.size), height = fonts_.lineHeight(s.face, s.size);
    const float ascent = fonts_.ascent(s.face, s.size);
    cairo_save(cairo_);
    cairo_translate(cairo_, d(text.at.x), d(text.at.y));
    if (text.upright) {
      cairo_translate(cairo_, d(shift(text.horizontal, height) + ascent), d(-shift(text.vertical, width)));
      cairo_rotate(cairo_, -std::numbers::pi / 2);
    } else {
      cairo_translate(cairo_, d(shift(text.horizontal, width)), d(shift(text.vertical, height) + ascent));
    }
    color(s.color);
    fonts_.draw(cairo_, shown, s.face, s.size);
    cairo_restore(cairo_);
  }

  void operator()(const PushClip& clip) const {
    cairo_save(cairo_);
    box(clip.box);
    cairo_clip(cairo_);
  }
  void operator()(const PopClip&) const { cairo_restore(cairo_); }

 private:
  void color(Rgba c) const {
    cairo_set_source_rgba(cairo_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
  }
  void box(const Box& b) const { cairo_rectangle(cairo_, d(b.x), d(b.y), d(b.width), d(b.height)); }
  void stroke(Rgba c, float width) const {
    color(c);
    cairo_set_line_width(cairo_, d(width));
    cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cairo_);
  }
  void outline(const Box& b, float radius) const {
    const double r = d(std::min({radius, b.width / 2, b.height / 2})), quarter = std::numbers::pi / 2;
    if (r <= 0) return box(b);
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, d(b.right()) - r, d(b.y) + r, r, -quarter, 0);
    cairo_arc(cairo_, d(b.right()) - r, d(b.bottom()) - r, r, 0, quarter);
    cairo_arc(cairo_, d(b.x) + r, d(b.bottom()) - r, r, quarter, 2 * quarter);
    cairo_arc(cairo_, d(b.x) + r, d(b.y) + r, r, 2 * quarter, 3 * quarter);
    cairo_close_path(cairo_);
  }
  void arrowHead(Point from, Point to) const {
    const double angle = std::atan2(d(to.y - from.y), d(to.x - from.x)), size = 5;
    cairo_move_to(cairo_, d(to.x), d(to.y));
    for (const double side : {-0.54, 0.54})
      cairo_line_to(cairo_, d(to.x) - size * 1.17 * std::cos(angle + side),
                    d(to.y) - size * 1.17 * std::sin(angle + side));
    cairo_close_path(cairo_);
    cairo_fill(cairo_);
  }
  Rgba cell(const Matrix& matrix, int row, int column, float v) const {
    if (isMasked(matrix, row, column, v)) return theme_.masked;
    return std::isfinite(v) ? cellColor(matrix, v, theme_.dark) : theme_.broken;
  }

  cairo_t* cairo_;
  const TensorSources& sources_;
  const Theme& theme_;
  const FigureFonts& fonts_;
};

}  // namespace

Status writePng(const std::filesystem::path& file, const Scene& scene, const Theme& theme,
                const FigureFonts& fonts, int width, int height) {
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), cairo_surface_destroy);
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo(cairo_create(surface.get()), cairo_destroy);
  const Pen pen(cairo.get(), scene.sources, theme, fonts);
  pen(Rect{{0, 0, static_cast<float>(width), static_cast<float>(height)}, theme.ground});
  for (const Shape& shape : scene.shapes) std::visit(pen, shape);
  cairo_surface_flush(surface.get());
  if (const auto status = cairo_surface_write_to_png(surface.get(), file.string().c_str());
      status != CAIRO_STATUS_SUCCESS)
    return Error{std::string("the picture cannot be written: ") + cairo_status_to_string(status),
                 file.string(), "does the folder exist, and may you write there?"};
  return success();
}

}  // namespace glassformer
