#include "app/figure/scene_painting.h"

#include <cmath>

#include "app/scene/surface_plot.h"

namespace glassformer {
namespace {

class Painter {
 public:
  Painter(Pen& pen, const TensorSources& sources, const Theme& theme, const FigureFonts& fonts)
      : pen_(pen), sources_(sources), theme_(theme), fonts_(fonts) {}

  void operator()(const Rect& r) const {
    if (r.fill.a) pen_.rectangle(r.box, r.radius, r.fill);
    if (r.stroke.a) pen_.frame(r.box.inset(r.strokeWidth / 2), r.radius, r.stroke, r.strokeWidth);
  }

  void operator()(const Line& line) const {
    pen_.polyline(line.points, line.color, line.width);
    if (line.arrow && line.points.size() > 1)
      arrowHead(line.points[line.points.size() - 2], line.points.back(), line.color);
  }

  void operator()(const Matrix& matrix) const {
    const auto values = plane(sources_, matrix.values);
    if (!values || values->size() == 0) return;
    CellColors cells{values->extent[0], values->extent[1], {}};
    cells.colors.reserve(static_cast<std::size_t>(values->size()));
    const ColorTable steps = colorTable(matrix.map, theme_.dark);
    values->forEach([&](const auto& index, float v) {
      cells.colors.push_back(colorOf(matrix, steps, index[0], index[1], v).faded(matrix.opacity));
    });
    pen_.cells(matrix.box, cells);
  }

  void operator()(const ColorScale& scale) const {
    constexpr std::size_t steps = 32;
    std::array<Rgba, steps + 1> colors;
    for (std::size_t i = 0; i <= steps; ++i)
      colors[i] = colorAt(scale.map, static_cast<float>(i) / steps, theme_.dark);
    pen_.gradient(scale.box, scale.vertical, colors);
  }

  void operator()(const Curve& curve) const {
    const auto values = plane(sources_, curve.values);
    if (!values) return;
    std::vector<Point> points;
    const int count = values->extent[1];
    for (int i = 0; i < count; ++i)
      if (const float v = (*values)(0, i); std::isfinite(v)) points.push_back(curvePoint(curve, i, count, v));
    pen_.polyline(points, curve.color, curve.width);
    if (points.size() == 1) pen_.rectangle({points[0].x - 2, points[0].y - 2, 4, 4}, 2, curve.color);
  }

  void operator()(const Bar& bar) const {
    const auto value = valueOf(sources_, bar.value);
    if (!value || !std::isfinite(*value)) return;
    const Box filled = barBox(bar, *value);
    pen_.rectangle(filled, std::min({bar.radius, filled.width / 2, filled.height / 2}), bar.color);
  }

  void operator()(const Ribbon& ribbon) const {
    const auto value = valueOf(sources_, ribbon.value);
    if (!value || !std::isfinite(*value)) return;
    const auto [first, second] = ribbonControls(ribbon);
    pen_.bezier({ribbon.from, first, second, ribbon.to}, ribbon.color,
                std::max(1.0f, ribbonWidth(ribbon, *value)));
  }

  void operator()(const Phasor& phasor) const {
    const auto pair = plane(sources_, phasor.pair);
    if (!pair || pair->size() < 2) return;
    const std::array points{phasor.center, phasorTip(phasor, (*pair)(0, 0), (*pair)(0, pair->extent[1] - 1))};
    pen_.polyline(points, phasor.color, phasor.width);
    if (phasor.length >= 10) arrowHead(points[0], points[1], phasor.color);
  }

  void operator()(const Dot& dot) const {
    const auto pair = plane(sources_, dot.pair);
    if (!pair || pair->size() < 2) return;
    mark(dotCenter(dot, (*pair)(0, 0), (*pair)(0, pair->extent[1] - 1)), dot.radius, dot.color, dot.square);
  }

  void operator()(const SpaceDot& dot) const {
    if (const auto center = dotCenter(dot, sources_)) mark(*center, dot.radius, dot.color, dot.square);
  }

  void operator()(const SurfacePlot& surface) const {
    const auto values = plane(sources_, surface.values);
    if (!values) return;
    for (const SurfaceFacet& facet : facetsOf(surface, *values)) {
      pen_.facet(facet.corners, facetColor(surface, (*values)(facet.row, facet.column), theme_));
      if (surface.mesh.a) pen_.polyline(facet.mesh(), surface.mesh, SurfaceFacet::meshWidth);
    }
  }

  void operator()(const Text& text) const {
    const TextStyle& style = text.style;
    PlacedText placed{
        text.at,
        text.maxWidth > 0 ? fitted(fonts_, text.text, style.face, style.size, text.maxWidth) : text.text,
        style, text.upright ? text.vertical : text.horizontal, text.upright};
    if (placed.text.empty()) return;
    const Align across = text.upright ? text.horizontal : text.vertical;
    const float height = fonts_.lineHeight(style.face, style.size);
    const float top = across == Align::Start ? 0 : across == Align::Middle ? -height / 2 : -height;
    (text.upright ? placed.at.x : placed.at.y) += top + fonts_.ascent(style.face, style.size);
    pen_.text(placed);
  }

  void operator()(const PushClip& clip) const { pen_.pushClip(clip.box); }
  void operator()(const PopClip&) const { pen_.pop(); }

 private:
  void mark(Point at, float radius, Rgba color, bool square) const {
    pen_.rectangle({at.x - radius, at.y - radius, 2 * radius, 2 * radius}, square ? 0 : radius, color);
  }
  void arrowHead(Point from, Point to, Rgba color) const {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-6f);
    const float ux = dx / length * 5, uy = dy / length * 5;
    const std::array<Point, 3> head{
        {to, {to.x - ux - uy * 0.6f, to.y - uy + ux * 0.6f}, {to.x - ux + uy * 0.6f, to.y - uy - ux * 0.6f}}};
    pen_.polygon(head, color);
  }
  // In as many steps as the window has; mixing a colour of its own for each of a million cells takes a
  // second.
  Rgba colorOf(const Matrix& matrix, const ColorTable& steps, int row, int column, float v) const {
    if (isMasked(matrix, row, column, v)) return theme_.masked;
    if (!std::isfinite(v)) return theme_.broken;
    const float last = static_cast<float>(steps.size() - 1);
    return steps[static_cast<std::size_t>(std::clamp(matrix.range.fraction(v), 0.0f, 1.0f) * last + 0.5f)];
  }

  Pen& pen_;
  const TensorSources& sources_;
  const Theme& theme_;
  const FigureFonts& fonts_;
};

}  // namespace

void paintScene(Pen& pen, const Scene& scene, const Theme& theme, const FigureFonts& fonts) {
  const Painter painter(pen, scene.sources, theme, fonts);
  for (const Shape& shape : scene.shapes) std::visit(painter, shape);
}

}  // namespace glassformer
