#include "app/views/landscape/surface_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/drawing/surface_room.h"
#include "app/views/landscape/map_picture.h"

namespace glassformer {

namespace {

class SurfaceBuilder {
 public:
  SurfaceBuilder(LandscapePicture& picture, Box area)
      : picture_(picture),
        theme_(picture.theme),
        room_(picture.scene, picture.input, surfaceIn(picture, area)) {}

  void draw() {
    room_.addEdges();
    room_.addContours(contourSteps);
    picture_.scene.add(room_.surface());
    addOwnWeights();
    addPointed();
    room_.addAxes(axis('a', "a, along δ"), axis('b', "b, along η"));
    addHit();
  }

 private:
  // The scale stands beside the surface, however wide the stage is.
  static SurfacePlot surfaceIn(LandscapePicture& picture, Box area) {
    constexpr float widest = 1.4f;  // of its height
    area = area.inset(std::max(0.0f, (area.width - widest * area.height) / 2), 0);
    addLandscapeScale(picture, area);
    const SurfaceAngle& angle = picture.settings.angle;
    const Rgba mesh = picture.side() <= 33 ? picture.theme.text.faded(0.16f) : Rgba{0, 0, 0, 0};
    area.takeTop(8), area.takeBottom(32);  // and room for what is written around it
    return {area.inset(48, 0),
            picture.losses,
            picture.scale.map,
            picture.scale.range,
            angle.yaw,
            angle.pitch,
            mesh};
  }

  void addOwnWeights() {
    const int middle = picture_.side() / 2;
    if (!std::isfinite(room_.values()(middle, middle))) return;
    room_.addNeedle(surfacePoint(room_.surface(), room_.values(), middle, middle), room_.at(0, 0, 1.05f),
                    "this model");
  }

  void addPointed() {
    const auto at = picture_.pointed();
    if (!at || room_.values()((*at)[0], (*at)[1]) == -std::numeric_limits<float>::infinity()) return;
    const Point point = surfacePoint(room_.surface(), room_.values(), (*at)[0], (*at)[1]);
    room_.addLine(point, room_.onFloor({static_cast<float>((*at)[1]), static_cast<float>((*at)[0])}),
                  theme_.text.faded(0.5f));
    room_.addDot(point, 4);
  }

  // Along a direction: b counts rows, which begin where v ends.
  SurfaceRoom::FloorAxis axis(char direction, const char* name) const {
    const int last = picture_.side() - 1, low = direction == 'b' ? last : 0;
    Text words;
    words.text = name;
    words.style = theme_.note();
    return {stepText(picture_, direction, low), stepText(picture_, direction, last - low), words};
  }

  void addHit() {
    HitRegion hit = room_.hit(picture_.settings.angle, [](SurfaceAngle angle) {
      return commands::changeSettings([=](ViewSettings& s) { s.landscape.angle = angle; });
    });
    hit.say = landscapeWords(picture_);
    hit.name = "loss surface";
    picture_.scene.hits.push_back(std::move(hit));
  }

  LandscapePicture& picture_;
  const Theme& theme_;
  SurfaceRoom room_;
};

}  // namespace

void drawSurfacePicture(LandscapePicture& picture, Box area) {
  // A difference has a sign, which a height would hide.
  if (picture.input.snapshot.isDifference()) return drawMapPicture(picture, area);
  if (addLandscapeFrame(picture, area)) SurfaceBuilder(picture, area).draw();
}

}  // namespace glassformer
