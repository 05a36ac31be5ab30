#include "app/scene/scene.h"

#include <cmath>
#include <numbers>

namespace glassformer {

Shape::Shape(const Shape& other) = default;
Shape::Shape(Shape&& other) noexcept = default;
Shape& Shape::operator=(const Shape& other) = default;
Shape& Shape::operator=(Shape&& other) noexcept = default;
Shape::~Shape() = default;

Scene::Scene() = default;
Scene::Scene(const Scene& other) = default;
Scene::Scene(Scene&& other) noexcept = default;
Scene& Scene::operator=(const Scene& other) = default;
Scene& Scene::operator=(Scene&& other) noexcept = default;
Scene::~Scene() = default;

Text& addText(Scene& scene, Point at, std::string text, TextStyle style, Align horizontal) {
  Text shape;
  shape.at = at;
  shape.text = std::move(text);
  shape.style = style;
  shape.horizontal = horizontal;
  return scene.add(std::move(shape));
}

HitRegion& addHitRegion(Scene& scene, const Box& box, const TensorRef& cell, std::string name) {
  HitRegion& hit = scene.hits.emplace_back();
  hit.box = box, hit.target.cell = cell, hit.name = std::move(name);
  return hit;
}

bool isAllowed(const Matrix& matrix, int row, int column) {
  if (!matrix.mask) return true;
  const TensorRef& values = matrix.values;
  const auto place = [&](int dimension, int i) {
    return dimension < 0 ? i : values.index[static_cast<std::size_t>(dimension)] + i;
  };
  return matrix.mask->allows(place(values.rowDimension, row), place(values.columnDimension, column));
}

bool isMasked(const Matrix& matrix, int row, int column, float value) {
  if (std::isinf(value) && value < 0) return true;
  if (std::isnan(value)) return matrix.gaps;
  if (!matrix.mask || value != 0) return false;
  return !isAllowed(matrix, row, column);
}

Rgba cellColor(const Matrix& matrix, float value, bool dark) {
  return colorAt(matrix.map, matrix.range.fraction(value), dark);
}

Box barBox(const Bar& bar, float value) {
  const float zero = std::clamp(bar.range.fraction(0), 0.0f, 1.0f);
  const float end = std::clamp(bar.range.fraction(value), 0.0f, 1.0f);
  const float low = std::min(zero, end), high = std::max(zero, end);
  const Box& t = bar.track;
  if (bar.vertical) return {t.x, t.bottom() - high * t.height, t.width, (high - low) * t.height};
  return {t.x + low * t.width, t.y, (high - low) * t.width, t.height};
}

Point curvePoint(const Curve& curve, int i, int count, float value) {
  const float x = (static_cast<float>(i) + 0.5f) / static_cast<float>(count);
  return {curve.box.x + x * curve.box.width,
          curve.box.bottom() - std::clamp(curve.range.fraction(value), 0.0f, 1.0f) * curve.box.height};
}

std::array<Point, 2> ribbonControls(const Ribbon& ribbon) {
  const Point a = ribbon.from, b = ribbon.to;
  if (ribbon.lift != 0) return {Point{a.x, a.y - ribbon.lift}, Point{b.x, b.y - ribbon.lift}};
  if (ribbon.downwards) {
    const float bend = (b.y - a.y) / 2;
    return {Point{a.x, a.y + bend}, Point{b.x, b.y - bend}};
  }
  const float bend = (b.x - a.x) / 2;
  return {Point{a.x + bend, a.y}, Point{b.x - bend, b.y}};
}

Point phasorTip(const Phasor& phasor, float sine, float cosine) {
  const float size = std::max(std::hypot(sine, cosine), Range::smallest);
  return {phasor.center.x + phasor.length * cosine / size, phasor.center.y - phasor.length * sine / size};
}

Point dotCenter(const Dot& dot, float across, float up) {
  return {dot.box.x + dot.across.fraction(across) * dot.box.width,
          dot.box.bottom() - dot.up.fraction(up) * dot.box.height};
}

std::array<float, 3> Space::turned(const std::array<float, 3>& z) const {
  constexpr float degree = std::numbers::pi_v<float> / 180;
  const float sineYaw = std::sin(yaw * degree), cosineYaw = std::cos(yaw * degree),
              sinePitch = std::sin(pitch * degree), cosinePitch = std::cos(pitch * degree);
  const float x = z[0] - center[0], y = z[1] - center[1], near = z[2] - center[2];
  const float across = x * cosineYaw + near * sineYaw, front = near * cosineYaw - x * sineYaw;
  return {across, y * cosinePitch - front * sinePitch, y * sinePitch + front * cosinePitch};
}

Point Space::at(const std::array<float, 3>& z) const {
  const auto [across, up, towards] = turned(z);
  return {middle.x + scale * across, middle.y - scale * up};
}

std::optional<Point> dotCenter(const SpaceDot& dot, const TensorSources& sources) {
  const auto z = plane(sources, dot.triple);
  if (!z || z->extent[1] < 3) return std::nullopt;
  const Point at = dot.space.at({(*z)(0, 0), (*z)(0, 1), (*z)(0, 2)});
  if (!std::isfinite(at.x) || !std::isfinite(at.y)) return std::nullopt;
  return at;
}

float ribbonWidth(const Ribbon& ribbon, float value) {
  return std::clamp(ribbon.range.fraction(std::abs(value)), 0.0f, 1.0f) * ribbon.thickness;
}

const HitRegion* hitAt(const Scene& scene, Point at) {
  for (auto region = scene.hits.rbegin(); region != scene.hits.rend(); ++region)
    if (region->box.contains(at)) return &*region;
  return nullptr;
}

namespace {
void assign(Target& target, Axis axis, int i) {
  switch (axis) {
    case Axis::None:
      return;
    case Axis::Query:
      target.query = i;
      return;
    case Axis::Key:
      target.key = i;
      return;
    case Axis::Token:
      target.token = i;
      return;
    case Axis::Dimension:
      target.dimension = i;
      return;
    case Axis::Entry:
      target.entry = i;
      return;
    case Axis::Layer:
      target.layer = i;
      return;
    case Axis::Head:
      target.head = i;
      return;
    case Axis::Step:
      target.step = i;
      return;
  }
}
}  // namespace

Target targetAt(const HitRegion& region, Point at) {
  const auto part = [](float from, float size, float where, int count) {
    if (!(size > 0)) return 0;
    const float share = std::clamp((where - from) / size, 0.0f, 1.0f);
    return std::min(static_cast<int>(share * static_cast<float>(count)), count - 1);
  };
  const int partDown = part(region.box.y, region.box.height, at.y, region.rows);
  int row = region.rowOrder.empty() ? region.firstRow + partDown
                                    : region.rowOrder[static_cast<std::size_t>(partDown)];
  int column = region.firstColumn + part(region.box.x, region.box.width, at.x, region.columns);
  if (region.cellAt) {
    const auto seen = region.cellAt(at);
    row = seen[0], column = seen[1];
  }
  Target target = region.target;
  if (!target.cell.empty()) target.cell = target.cell.cell(row, column);
  assign(target, region.rowAxis, row);
  assign(target, region.columnAxis, column);
  if (region.say) target.text = region.say(target);
  return target;
}

}  // namespace glassformer
