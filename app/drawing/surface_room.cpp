#include "app/drawing/surface_room.h"

#include <algorithm>
#include <cmath>

#include "app/scene/contours.h"

namespace glassformer {

SurfaceRoom::SurfaceRoom(Scene& scene, const SceneInput& input, const SurfacePlot& surface)
    : scene_(scene),
      input_(input),
      theme_(input.theme),
      surface_(surface),
      place_(surface),
      values_(*plane(scene.sources, surface.values)),
      frontU_(place_.depth(1, 0) < 0 ? 1.0f : -1.0f),
      frontV_(place_.depth(0, 1) < 0 ? 1.0f : -1.0f) {}

Point SurfaceRoom::onFloor(Point cell) const {
  const auto along = [](float place, int count) {
    return count > 1 ? 2 * place / static_cast<float>(count - 1) - 1 : 0.0f;
  };
  return at(along(cell.x, values_.extent[1]), -along(cell.y, values_.extent[0]), floor);
}

void SurfaceRoom::addLine(Point a, Point b, Rgba color, float width) {
  scene_.add(Line{{a, b}, color, width, false});
}

void SurfaceRoom::addEdges() {
  for (const float height : {floor, 1.0f})
    for (const float sign : {-1.0f, 1.0f}) {
      const bool isFloor = height == floor;
      if (isFloor || sign != frontV_) addLine(at(-1, sign, height), at(1, sign, height), theme_.line);
      if (isFloor || sign != frontU_) addLine(at(sign, -1, height), at(sign, 1, height), theme_.line);
    }
  for (const float u : {-1.0f, 1.0f})
    for (const float v : {-1.0f, 1.0f})
      if (u != frontU_ || v != frontV_) addLine(at(u, v, floor), at(u, v, 1), theme_.line);
}

void SurfaceRoom::addContours(int steps) {
  for (const float level : levelsOf(surface_.range, steps)) {
    const Rgba color = colorAt(surface_.map, surface_.range.fraction(level), theme_.dark);
    for (const ContourPiece& piece : contour(values_, level))
      addLine(onFloor(piece.from), onFloor(piece.to), color.faded(0.8f));
  }
}

void SurfaceRoom::addDot(Point at, float radius) {
  scene_.add(
      Rect{{at.x - radius, at.y - radius, 2 * radius, 2 * radius}, theme_.text, theme_.ground, radius, 1});
}

void SurfaceRoom::addNeedle(Point foot, Point head, const std::string& words) {
  addLine(foot, head, theme_.text.faded(0.8f));
  addDot(foot, 3);
  const float width = input_.metrics.width(words, FontFace::Ui, Theme::small) + 16;
  const Box plate{head.x - width / 2, head.y - 24, width, 24};
  scene_.add(Rect{plate, theme_.panel, theme_.line, 4, 1});
  addText(scene_, plate.center(), words, theme_.plain(), Align::Middle);
  taken_.push_back(plate);
}

void SurfaceRoom::addAxes(const FloorAxis& columns, const FloorAxis& rows) {
  const float alongU = frontV_, alongV = frontU_;
  const Point outColumns = outwards({0, alongU}), outRows = outwards({alongV, 0});
  addOutside(at(-1, alongU, floor), outColumns, columns.low);
  addOutside(at(alongV, -1, floor), outRows, rows.low);
  addOutside(at(1, alongU, floor), outColumns, columns.high);
  addOutside(at(alongV, 1, floor), outRows, rows.high);
  addOutside(at(0, alongU, floor), outColumns, columns.name);
  addOutside(at(alongV, 0, floor), outRows, rows.name);
}

// The way from the floor's middle over the middle of an edge, on the picture, as long as 1.
Point SurfaceRoom::outwards(Point edge) const {
  const Point from = at(0, 0, floor), to = at(edge.x, edge.y, floor);
  const float length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-3f);
  return {(to.x - from.x) / length, (to.y - from.y) / length};
}

void SurfaceRoom::addOutside(Point edge, Point out, Text text) {
  constexpr float gap = 16, sideways = 0.35f;
  text.style.color = theme_.quiet;
  text.horizontal = Align::Middle;
  text.at = {edge.x + gap * out.x, edge.y + gap * out.y};
  if (std::abs(out.x) > sideways) text.horizontal = out.x > 0 ? Align::Start : Align::End;
  const Box box = textBox(input_.metrics, text).inset(-4, 0);
  const auto meets = [&](const Box& other) {
    return box.x < other.right() && other.x < box.right() && box.y < other.bottom() && other.y < box.bottom();
  };
  if (std::ranges::any_of(taken_, meets)) return;
  taken_.push_back(box);
  scene_.add(text);
}

HitRegion SurfaceRoom::hit(SurfaceAngle now, const std::function<Command(SurfaceAngle)>& turn) const {
  HitRegion hit;
  hit.box = surface_.box;
  hit.target.cell = surface_.values;
  hit.cellAt = [surface = surface_, sources = scene_.sources](Point at) {
    const auto values = plane(sources, surface.values);
    return values ? cellSeenAt(surface, *values, at) : std::array{0, 0};
  };
  hit.pan = [turn, now](Point by) { return turn(now.turned(-180 * by.x, 90 * by.y)); };
  hit.arrows = [turn, now](int right, int down) {
    return turn(now.turned(-10.0f * static_cast<float>(right), 5.0f * static_cast<float>(down)));
  };
  hit.reset = [turn] { return turn(SurfaceAngle{}); };
  return hit;
}

}  // namespace glassformer
