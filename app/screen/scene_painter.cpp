#include "app/screen/scene_painter.h"

#include <algorithm>
#include <cmath>

#include "app/scene/surface_plot.h"
#include "imgui.h"

namespace glassformer {

namespace {

ImU32 packed(Rgba c) { return IM_COL32(c.r, c.g, c.b, c.a); }
ImVec2 vec(Point p) { return {p.x, p.y}; }
float snapped(float v) { return std::round(v); }

// Draws one shape after the other into a list.
struct Brush {
  ImDrawList* list;
  const Placement& at;
  const Fonts& fonts;
  HeatmapRenderer& heatmaps;
  const Theme& theme;
  const TensorSources& sources;
  std::vector<DrawnText>* texts;  // null: no notes
  bool scrolls;

  ImVec2 place(Point p) const { return vec(at.toScreen(p)); }
  ImVec2 low(const Box& b) const {
    const Point p = at.toScreen({b.x, b.y});
    return {snapped(p.x), snapped(p.y)};
  }
  ImVec2 high(const Box& b) const {
    const Point p = at.toScreen({b.right(), b.bottom()});
    return {snapped(p.x), snapped(p.y)};
  }
  float hairline(float width) const { return std::max(1.0f, snapped(width * at.scale)); }

  void operator()(const Rect& r) const {
    const ImVec2 a = low(r.box), b = high(r.box);
    const float radius = r.radius * at.scale;
    if (r.fill.a) list->AddRectFilled(a, b, packed(r.fill), radius);
    if (r.stroke.a) list->AddRect(a, b, packed(r.stroke), radius, 0, hairline(r.strokeWidth));
  }

  void operator()(const Line& line) const {
    std::vector<ImVec2> points;
    for (const Point& p : line.points) points.push_back(place(p));
    const bool straight = points.size() == 2 && (points[0].x == points[1].x || points[0].y == points[1].y);
    const float width = straight ? hairline(line.width) : line.width * at.scale;
    if (straight)
      for (ImVec2& p : points) p = {snapped(p.x - 0.5f) + 0.5f, snapped(p.y - 0.5f) + 0.5f};
    list->AddPolyline(points.data(), static_cast<int>(points.size()), packed(line.color), 0, width);
    if (line.arrow && points.size() > 1) arrowHead(points[points.size() - 2], points.back(), line.color);
  }

  void arrowHead(ImVec2 from, ImVec2 to, Rgba color) const {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1e-6f);
    const float size = 5 * at.scale, ux = dx / length * size, uy = dy / length * size;
    list->AddTriangleFilled(to, {to.x - ux - uy * 0.6f, to.y - uy + ux * 0.6f},
                            {to.x - ux + uy * 0.6f, to.y - uy - ux * 0.6f}, packed(color));
  }

  void operator()(const Matrix& matrix) const {
    const ImVec2 a = low(matrix.box), b = high(matrix.box);
    const auto cells = plane(sources, matrix.values);
    if (cells && cells->size() == 1) return cell(matrix, (*cells)(0, 0), a, b);
    heatmaps.add(list, matrix, sources, {a.x, a.y}, {b.x, b.y});
  }

  // A single cell needs no texture.
  void cell(const Matrix& matrix, float value, ImVec2 a, ImVec2 b) const {
    heatmaps.finish(list);
    const Rgba color = isMasked(matrix, 0, 0, value) ? theme.masked
                       : std::isfinite(value)        ? cellColor(matrix, value, theme.dark)
                                                     : theme.broken;
    list->AddRectFilled(a, b, packed(color.faded(matrix.opacity)));
  }

  void operator()(const ColorScale& scale) const {
    constexpr int steps = 32;
    const ImVec2 a = low(scale.box), b = high(scale.box);
    const auto color = [&](int i) {
      return packed(colorAt(scale.map, static_cast<float>(i) / steps, theme.dark));
    };
    for (int i = 0; i < steps; ++i) {
      const float t0 = static_cast<float>(i) / steps, t1 = static_cast<float>(i + 1) / steps;
      if (scale.vertical)
        list->AddRectFilledMultiColor({a.x, b.y - t1 * (b.y - a.y)}, {b.x, b.y - t0 * (b.y - a.y)},
                                      color(i + 1), color(i + 1), color(i), color(i));
      else
        list->AddRectFilledMultiColor({a.x + t0 * (b.x - a.x), a.y}, {a.x + t1 * (b.x - a.x), b.y}, color(i),
                                      color(i + 1), color(i + 1), color(i));
    }
  }

  void operator()(const Curve& curve) const {
    const auto cells = plane(sources, curve.values);
    if (!cells) return;
    std::vector<ImVec2> points;
    const int count = cells->extent[1];
    for (int i = 0; i < count; ++i)
      if (const float v = (*cells)(0, i); std::isfinite(v))
        points.push_back(place(curvePoint(curve, i, count, v)));
    list->AddPolyline(points.data(), static_cast<int>(points.size()), packed(curve.color), 0,
                      curve.width * at.scale);
    if (points.size() == 1) list->AddCircleFilled(points[0], 2 * at.scale, packed(curve.color));
  }

  void operator()(const Bar& bar) const {
    const auto value = valueOf(sources, bar.value);
    if (!value || !std::isfinite(*value)) return;
    const Box box = barBox(bar, *value);
    const Point a = at.toScreen({box.x, box.y}), b = at.toScreen({box.right(), box.bottom()});
    list->AddRectFilled(vec(a), vec(b), packed(bar.color), std::min(bar.radius * at.scale, (b.x - a.x) / 2));
  }

  void operator()(const Ribbon& ribbon) const {
    const auto value = valueOf(sources, ribbon.value);
    if (!value || !std::isfinite(*value)) return;
    const float width = std::max(1.0f, ribbonWidth(ribbon, *value) * at.scale);
    const auto [first, second] = ribbonControls(ribbon);
    const ImVec2 a = place(ribbon.from), b = place(first), c = place(second), d = place(ribbon.to);
    // As many pieces as its length needs to look round; thousands of arcs are drawn at once.
    const float length = std::hypot(b.x - a.x, b.y - a.y) + std::hypot(c.x - b.x, c.y - b.y) +
                         std::hypot(d.x - c.x, d.y - c.y);
    const bool straight = a.y == d.y && b.y == a.y && c.y == a.y;
    const int pieces = straight ? 1 : std::clamp(static_cast<int>(std::sqrt(length)), 5, 40);
    list->AddBezierCubic(a, b, c, d, packed(ribbon.color), width, pieces);
  }

  void operator()(const Phasor& phasor) const {
    const auto pair = plane(sources, phasor.pair);
    if (!pair || pair->size() < 2) return;
    const Point tip = phasorTip(phasor, (*pair)(0, 0), (*pair)(0, pair->extent[1] - 1));
    const ImVec2 from = place(phasor.center), to = place(tip);
    list->AddLine(from, to, packed(phasor.color), phasor.width * at.scale);
    if (phasor.length >= 10) arrowHead(from, to, phasor.color);
  }

  void operator()(const Dot& dot) const {
    const auto pair = plane(sources, dot.pair);
    if (!pair || pair->size() < 2) return;
    mark(dotCenter(dot, (*pair)(0, 0), (*pair)(0, pair->extent[1] - 1)), dot.radius, dot.color, dot.square);
  }

  void operator()(const SpaceDot& dot) const {
    if (const auto center = dotCenter(dot, sources)) mark(*center, dot.radius, dot.color, dot.square);
  }

  void mark(Point center, float radius, Rgba color, bool square) const {
    const ImVec2 p = place(center);
    const float r = radius * at.scale;
    if (square)
      list->AddRectFilled({p.x - r, p.y - r}, {p.x + r, p.y + r}, packed(color));
    else
      list->AddCircleFilled(p, r, packed(color));
  }

  // Facets that meet are filled up to their edges: softened ones would let what lies behind shine through.
  void operator()(const SurfacePlot& surface) const {
    const auto values = plane(sources, surface.values);
    if (!values) return;
    const ImDrawListFlags flags = list->Flags;
    for (const SurfaceFacet& facet : facetsOf(surface, *values)) {
      const auto& [a, b, c, d] = facet.corners;
      list->Flags = flags & ~ImDrawListFlags_AntiAliasedFill;
      list->AddQuadFilled(place(a), place(b), place(c), place(d),
                          packed(facetColor(surface, (*values)(facet.row, facet.column), theme)));
      list->Flags = flags;
      if (surface.mesh.a) mesh(facet, surface.mesh);
    }
  }
  // Not as one polyline: where it turns sharply, its corner would stick out.
  void mesh(const SurfaceFacet& facet, Rgba color) const {
    const auto [first, point, second] = facet.mesh();
    for (const Point& end : {first, second})
      list->AddLine(place(point), place(end), packed(color), SurfaceFacet::meshWidth * at.scale);
  }

  void operator()(const Text& text) const {
    const TextStyle& style = text.style;
    const ScreenMetrics metrics(fonts, at.scale);
    const std::string shown =
        text.maxWidth > 0 ? fitted(metrics, text.text, style.face, style.size, text.maxWidth) : text.text;
    const float height = fonts.lineHeight(style.face, style.size * at.scale);
    const float width = fonts.width(shown, style.face, style.size * at.scale);
    const auto shift = [](Align align, float extent) {
      return align == Align::Start ? 0 : align == Align::Middle ? -extent / 2 : -extent;
    };
    const ImVec2 p = place(text.at);
    const int first = list->VtxBuffer.Size;
    const float x = p.x + (text.upright ? 0 : shift(text.horizontal, width));
    const float y = p.y + (text.upright ? 0 : shift(text.vertical, height));
    // Not AddText: it leaves out letters beyond the clip rectangle, which is wrong before turning.
    const ImVec4 clip = text.upright ? ImVec4(-1e6f, -1e6f, 1e6f, 1e6f) : list->_CmdHeader.ClipRect;
    const std::string_view drawn = fonts.shown(shown, style.face);
    fonts.font(style.face)
        ->RenderText(list, height, {snapped(x), snapped(y)}, packed(style.color), clip, drawn.data(),
                     drawn.data() + drawn.size());
    note(text, shown, p, width);
    if (text.upright)
      turn(first, {snapped(x), snapped(y)}, shift(text.horizontal, height), shift(text.vertical, width));
  }

  void note(const Text& text, const std::string& shown, ImVec2 at_, float width) const {
    if (!texts || shown.empty()) return;
    const float letters = text.style.size * at.scale * 0.72f;  // of a capital letter
    const auto from = [](Align align, float extent) {
      return align == Align::Start ? 0 : align == Align::Middle ? -extent / 2 : -extent;
    };
    const Box box = text.upright
                        ? Box{at_.x + from(text.horizontal, letters),
                              at_.y - width - from(text.vertical, width), letters, width}
                        : Box{at_.x + from(text.horizontal, width), at_.y - letters / 2, width, letters};
    const ImVec4 clip = list->_CmdHeader.ClipRect;
    texts->push_back({shown,
                      box,
                      {clip.x, clip.y, clip.z - clip.x, clip.w - clip.y},
                      list,
                      scrolls,
                      text.style.size * at.scale,
                      text.value});
  }

  // Turns what was added since vertex `first` by 90°: along becomes up, across becomes right.
  void turn(int first, ImVec2 pivot, float across, float along) const {
    for (int i = first; i < list->VtxBuffer.Size; ++i) {
      ImVec2& v = list->VtxBuffer[i].pos;
      v = {pivot.x + snapped(across) + (v.y - pivot.y), pivot.y - snapped(along) - (v.x - pivot.x)};
    }
  }

  void operator()(const PushClip& clip) const { list->PushClipRect(low(clip.box), high(clip.box), true); }
  void operator()(const PopClip&) const { list->PopClipRect(); }
};

}  // namespace

void ScenePainter::beginFrame(const Theme& theme) {
  theme_ = theme;
  texts_.clear();
  heatmaps_.beginFrame(theme);
}

void ScenePainter::paint(ImDrawList* list, const Scene& scene, const Placement& placement, bool scrolls) {
  const Brush brush{
      list, placement, fonts_, heatmaps_, theme_, scene.sources, keepsTexts_ ? &texts_ : nullptr, scrolls};
  for (const Shape& shape : scene.shapes) {
    if (!std::holds_alternative<Matrix>(shape)) heatmaps_.finish(list);
    std::visit(brush, shape);
  }
  heatmaps_.finish(list);
}

void ScenePainter::paint(ImDrawList* list, const Shape& shape, const Placement& placement, bool scrolls) {
  const TensorSources none;
  std::visit(
      Brush{list, placement, fonts_, heatmaps_, theme_, none, keepsTexts_ ? &texts_ : nullptr, scrolls},
      shape);
}

}  // namespace glassformer
