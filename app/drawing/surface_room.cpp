#include "app/drawing/surface_room.h"

#include "app/drawing/turning.h"
#include "app/scene/contours.h"

namespace glassformer {

SurfaceRoom::SurfaceRoom(Scene& scene, const SceneInput& input, const SurfacePlot& surface)
    : scene_(scene),
      input_(input),
      theme_(input.theme),
      surface_(surface),
      projection_(surface),
      values_(*plane(scene.sources, surface.values)),
      frontU_(projection_.depth(1, 0) < 0 ? 1.0f : -1.0f),
      frontV_(projection_.depth(0, 1) < 0 ? 1.0f : -1.0f),
      texts_(scene, input.metrics) {}

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
  texts_.take(plate);
}

void SurfaceRoom::addAxes(const FloorAxis& columns, const FloorAxis& rows) {
  const float alongU = frontV_, alongV = frontU_;
  const Point outColumns = outwards({0, alongU}), outRows = outwards({alongV, 0});
  const auto write = [&](Point edge, Point out, Text text) {
    text.style.color = theme_.quiet;
    texts_.add(edge, out, std::move(text));
  };
  write(at(-1, alongU, floor), outColumns, columns.low);
  write(at(alongV, -1, floor), outRows, rows.low);
  write(at(1, alongU, floor), outColumns, columns.high);
  write(at(alongV, 1, floor), outRows, rows.high);
  write(at(0, alongU, floor), outColumns, columns.name);
  write(at(alongV, 0, floor), outRows, rows.name);
}

// The way from the floor's middle over the middle of an edge, on the picture.
Point SurfaceRoom::outwards(Point edge) const {
  return directionOf(at(0, 0, floor), at(edge.x, edge.y, floor));
}

HitRegion SurfaceRoom::hit(SurfaceAngle now, const std::function<Command(SurfaceAngle)>& turn) const {
  HitRegion hit;
  hit.box = surface_.box;
  hit.target.cell = surface_.values;
  hit.cellAt = [surface = surface_, sources = scene_.sources](Point at) {
    const auto values = plane(sources, surface.values);
    return values ? cellSeenAt(surface, *values, at) : std::array{0, 0};
  };
  letTurn(hit, now, turn);
  return hit;
}

}  // namespace glassformer
