#include "app/views/landscape/map_picture.h"

#include <algorithm>

#include "app/scene/contours.h"

namespace glassformer {

namespace {

class MapBuilder {
 public:
  explicit MapBuilder(LandscapePicture& picture)
      : picture_(picture), theme_(picture.theme), side_(picture.side()) {}

  void draw(Box area) {
    constexpr float besides = 160;  // axis and scale
    area = area.inset(std::max(0.0f, (area.width - area.height - besides) / 2), 0);
    area.takeBottom(axis - 8);
    addLandscapeScale(picture_, area);
    area.takeLeft(axis), area.takeTop(24), area.takeBottom(8);
    const float size = std::min(area.width, area.height);
    box_ = {area.right() - size, area.y, size, size};
    picture_.scene.add(Matrix{box_, picture_.losses, picture_.scale.map, picture_.scale.range, 1, {}, false});
    addContours();
    picture_.scene.add(Rect{box_, {0, 0, 0, 0}, theme_.line});
    addMarks();
    addAxes();
    addHit();
  }

 private:
  static constexpr float axis = 56;

  void addContours() {
    for (const float level : levelsOf(picture_.scale.range, contourSteps)) {
      const Rgba under = colorAt(picture_.scale.map, picture_.scale.range.fraction(level), theme_.dark);
      for (const ContourPiece& piece : contour(*picture_.values, level))
        picture_.scene.add(Line{{place(piece.from), place(piece.to)}, inkOn(under).faded(0.35f)});
    }
  }
  Point place(Point cell) const {
    const float each = box_.width / static_cast<float>(side_);
    return {box_.x + (cell.x + 0.5f) * each, box_.y + (cell.y + 0.5f) * each};
  }

  // The model's own weights, and what is under the pointer.
  void addMarks() {
    const Box own = box_.cell(side_ / 2, side_ / 2, side_, side_);
    const float value = (*picture_.values)(side_ / 2, side_ / 2);
    const Rgba under = colorAt(picture_.scale.map, picture_.scale.range.fraction(value), theme_.dark);
    addRing(own.center(), 5, inkOn(under));
    if (const auto at = picture_.pointed())
      addOutline(picture_.scene, box_.cell((*at)[0], (*at)[1], side_, side_), theme_.text, 1);
  }
  void addRing(Point center, float radius, Rgba color) {
    picture_.scene.add(Rect{
        {center.x - radius, center.y - radius, 2 * radius, 2 * radius}, {0, 0, 0, 0}, color, radius, 1.5f});
  }

  void addAxes() {
    for (const int i : {0, side_ / 2, side_ - 1}) {
      Text a = stepText(picture_, 'a', i), b = stepText(picture_, 'b', i);
      a.at = {box_.cell(0, i, 1, side_).center().x, box_.bottom() + 14};
      b.at = {box_.x - 8, box_.cell(i, 0, side_, 1).center().y};
      b.horizontal = Align::End;
      picture_.scene.add(a), picture_.scene.add(b);
    }
    addText(picture_.scene, {box_.center().x, box_.bottom() + 36}, "a, along δ", theme_.note(),
            Align::Middle);
    Text& b =
        addText(picture_.scene, {box_.x - 46, box_.center().y}, "b, along η", theme_.note(), Align::Middle);
    b.upright = true, b.vertical = Align::Middle;
  }

  void addHit() {
    HitRegion& hit = addHitRegion(picture_.scene, box_, picture_.losses, "loss map");
    hit.rows = hit.columns = side_;
    hit.say = landscapeWords(picture_);
  }

  LandscapePicture& picture_;
  const Theme& theme_;
  int side_;
  Box box_;
};

}  // namespace

void drawMapPicture(LandscapePicture& picture, Box area) {
  if (addLandscapeFrame(picture, area)) MapBuilder(picture).draw(area);
}

}  // namespace glassformer
