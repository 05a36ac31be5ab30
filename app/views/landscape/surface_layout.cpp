#include "app/views/landscape/surface_layout.h"

#include <algorithm>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/scene/contours.h"
#include "app/scene/surface_plot.h"
#include "app/views/landscape/map_layout.h"

namespace glassformer {

namespace {

class SurfaceBuilder {
 public:
  SurfaceBuilder(LandscapeView& view, Box area)
      : view_(view),
        theme_(view.theme),
        surface_(surfaceIn(view, area)),
        place_(surface_),
        side_(view.side()),
        frontU_(place_.depth(1, 0) < 0 ? 1.0f : -1.0f),
        frontV_(place_.depth(0, 1) < 0 ? 1.0f : -1.0f) {}

  void draw() {
    addRoom();
    addContours();
    view_.scene.add(surface_);
    addOwnWeights();
    addPointed();
    addAxes();
    addHit();
  }

 private:
  static constexpr float floor = SurfacePlace::floor;

  // The scale stands beside the surface, however wide the stage is.
  static SurfacePlot surfaceIn(LandscapeView& view, Box area) {
    constexpr float widest = 1.4f;  // of its height
    area = area.inset(std::max(0.0f, (area.width - widest * area.height) / 2), 0);
    addLandscapeScale(view, area);
    const LandscapeSettings& s = view.settings;
    const Rgba mesh = view.side() <= 33 ? view.theme.text.faded(0.16f) : Rgba{0, 0, 0, 0};
    area.takeTop(8), area.takeBottom(32);  // and room for what is written around it
    return {area.inset(48, 0), view.losses, view.scale.map, view.scale.range, s.yaw, s.pitch, mesh};
  }

  void line(Point a, Point b, Rgba color, float width = 1) {
    view_.scene.add(Line{{a, b}, color, width, false});
  }

  // The floor, and the edges of the room behind it.
  void addRoom() {
    const auto corner = [&](float u, float v, float height) { return place_.at(u, v, height); };
    for (const float height : {floor, 1.0f})
      for (const float sign : {-1.0f, 1.0f}) {
        const bool isFloor = height == floor;
        if (isFloor || sign != frontV_) line(corner(-1, sign, height), corner(1, sign, height), theme_.line);
        if (isFloor || sign != frontU_) line(corner(sign, -1, height), corner(sign, 1, height), theme_.line);
      }
    for (const float u : {-1.0f, 1.0f})
      for (const float v : {-1.0f, 1.0f})
        if (u != frontU_ || v != frontV_) line(corner(u, v, floor), corner(u, v, 1), theme_.line);
  }

  void addContours() {
    for (const float level : levelsOf(surface_.range, contourSteps)) {
      const Rgba color = colorAt(surface_.map, surface_.range.fraction(level), theme_.dark);
      for (const ContourPiece& piece : contour(*view_.values, level))
        line(onFloor(piece.from), onFloor(piece.to), color.faded(0.8f));
    }
  }
  // A place of the grid: x counts columns, y rows.
  Point onFloor(Point cell) const {
    const float last = static_cast<float>(side_ - 1);
    return place_.at(2 * cell.x / last - 1, 1 - 2 * cell.y / last, floor);
  }

  // A needle where the model's own weights are: the walls around may hide the place itself.
  void addOwnWeights() {
    const int middle = side_ / 2;
    if (!std::isfinite((*view_.values)(middle, middle))) return;
    const Point foot = surfacePoint(surface_, *view_.values, middle, middle), head = place_.at(0, 0, 1.05f);
    line(foot, head, theme_.text.faded(0.8f));
    addDot(foot, 3);
    const std::string words = "this model";
    const float width = view_.input.metrics.width(words, FontFace::Ui, Theme::small) + 16;
    const Box plate{head.x - width / 2, head.y - 24, width, 24};
    view_.scene.add(Rect{plate, theme_.panel, theme_.line, 4, 1});
    addText(view_.scene, plate.center(), words, {FontFace::Ui, Theme::small, theme_.text}, Align::Middle);
    taken_.push_back(plate);
  }

  void addPointed() {
    const auto at = view_.pointed();
    if (!at || (*view_.values)((*at)[0], (*at)[1]) == -std::numeric_limits<float>::infinity()) return;
    const Point point = surfacePoint(surface_, *view_.values, (*at)[0], (*at)[1]);
    line(point, onFloor({static_cast<float>((*at)[1]), static_cast<float>((*at)[0])}),
         theme_.text.faded(0.5f));
    addDot(point, 4);
  }

  void addDot(Point at, float radius) {
    view_.scene.add(
        Rect{{at.x - radius, at.y - radius, 2 * radius, 2 * radius}, theme_.text, theme_.ground, radius, 1});
  }

  // Along the two edges of the floor that are nearest: the ends of each direction, and its name.
  void addAxes() {
    const float alongU = frontV_, alongV = frontU_;
    const Point outA = outwards({0, alongU}), outB = outwards({alongV, 0});
    for (const int i : {0, side_ - 1}) {
      const float end = i == 0 ? -1.0f : 1.0f;
      addOutside(place_.at(end, alongU, floor), outA, stepText(view_, 'a', i));
      addOutside(place_.at(alongV, -end, floor), outB, stepText(view_, 'b', i));
    }
    addOutside(place_.at(0, alongU, floor), outA, axisName("a, along δ"));
    addOutside(place_.at(alongV, 0, floor), outB, axisName("b, along η"));
  }

  // The way from the floor's middle over the middle of an edge, on the picture, as long as 1.
  Point outwards(Point edge) const {
    const Point from = place_.at(0, 0, floor), to = place_.at(edge.x, edge.y, floor);
    const float length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-3f);
    return {(to.x - from.x) / length, (to.y - from.y) / length};
  }

  Text axisName(const char* words) const {
    Text text;
    text.text = words;
    text.style = {FontFace::Ui, Theme::small, theme_.quiet};
    text.horizontal = Align::Middle;
    return text;
  }

  // What would lie on another text is left out.
  void addOutside(Point edge, Point out, Text text) {
    constexpr float gap = 16, sideways = 0.35f;
    text.at = {edge.x + gap * out.x, edge.y + gap * out.y};
    if (std::abs(out.x) > sideways) text.horizontal = out.x > 0 ? Align::Start : Align::End;
    const Box box = textBox(view_.input.metrics, text).inset(-4, 0);
    const auto meets = [&](const Box& other) {
      return box.x < other.right() && other.x < box.right() && box.y < other.bottom() &&
             other.y < box.bottom();
    };
    if (std::ranges::any_of(taken_, meets)) return;
    taken_.push_back(box);
    view_.scene.add(text);
  }

  void addHit() {
    HitRegion hit;
    hit.box = surface_.box;
    hit.target.cell = view_.losses;
    hit.cellAt = [surface = surface_, sources = view_.scene.sources](Point at) {
      const auto values = plane(sources, surface.values);
      return values ? cellSeenAt(surface, *values, at) : std::array{0, 0};
    };
    hit.say = landscapeWords(view_);
    const auto turn = [](const LandscapeSettings& from, float yaw, float pitch) {
      return commands::changeSettings([=](ViewSettings& s) {
        const LandscapeSettings to = turned(from, yaw, pitch);
        s.landscape.yaw = to.yaw, s.landscape.pitch = to.pitch;
      });
    };
    hit.pan = [turn, from = view_.settings](Point by) { return turn(from, -180 * by.x, 90 * by.y); };
    hit.arrows = [turn, from = view_.settings](int right, int down) {
      return turn(from, -10.0f * static_cast<float>(right), 5.0f * static_cast<float>(down));
    };
    hit.reset = [turn] { return turn(LandscapeSettings{}, 0, 0); };
    hit.name = "loss surface";
    view_.scene.hits.push_back(std::move(hit));
  }

  LandscapeView& view_;
  const Theme& theme_;
  SurfacePlot surface_;
  SurfacePlace place_;
  int side_;
  float frontU_, frontV_;   // which sides of the floor are nearest
  std::vector<Box> taken_;  // by texts
};

}  // namespace

void drawSurfaceLayout(LandscapeView& view, Box area) {
  // A difference has a sign, which a height would hide.
  if (view.input.snapshot.isDifference()) return drawMapLayout(view, area);
  if (addLandscapeFrame(view, area)) SurfaceBuilder(view, area).draw();
}

}  // namespace glassformer
