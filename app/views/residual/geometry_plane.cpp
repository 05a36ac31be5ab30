#include "app/views/residual/geometry_plane.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"
#include "app/scene/plot.h"

namespace glassformer {

namespace {

constexpr float planeMargin = 24;  // of the frame, around all dots

}  // namespace

// As large as all dots find room, with as many pixels for a unit in both directions.
GeometryPlane::GeometryPlane(ResidualPicture& picture, const GeometryFrame& frame)
    : picture_(picture),
      scene_(picture.scene),
      theme_(picture.theme),
      frame_(frame),
      closeup_(closeupOf(picture.input.workspace.settings)) {
  const Box& area = frame_.box;
  const Range &across = frame_.ranges[0], &up = frame_.ranges[1];
  float unit = std::max((across.high - across.low) / std::max(1.0f, area.width - 2 * planeMargin),
                        (up.high - up.low) / std::max(1.0f, area.height - 2 * planeMargin));
  if (!(unit > 0)) unit = 2 / area.width;
  const auto around = [&](const Range& range, float pixels) {
    const float middle = (range.low + range.high) / 2, half = unit * pixels / 2;
    return Range{middle - half, middle + half};
  };
  across_ = seen(around(across, area.width), closeup_.x), up_ = seen(around(up, area.height), closeup_.y);
}

Range GeometryPlane::seen(Range whole, float middle) const {
  const float extent = whole.high - whole.low, at = whole.low + middle * extent,
              half = extent / 2 / closeup_.zoom;
  return {at - half, at + half};
}

void GeometryPlane::addAxes() {
  const Box& box = frame_.box;
  scene_.add(Rect{box, theme_.panel, theme_.line});
  const TextStyle mono = theme_.quietMono();
  for (const auto& [value, along] : ticksAlong(across_, box.width, 72, 20)) {
    const float x = box.x + along;
    scene_.add(Line{{{x, box.y}, {x, box.bottom()}}, gridColor(theme_, value)});
    addText(scene_, {x, box.bottom() + 12}, formattedShort(value), mono, Align::Middle);
  }
  for (const auto& [value, along] : ticksAlong(up_, box.height, 72, 20)) {
    const float y = box.bottom() - along;
    scene_.add(Line{{{box.x, y}, {box.right(), y}}, gridColor(theme_, value)});
    addText(scene_, {box.x - 8, y}, formattedShort(value), mono, Align::End);
  }
  addAxisName(0, "first component, ", {box.center().x, box.bottom() + 34});
  addAxisName(1, "second component, ", {box.x - 78, box.center().y});
}

void GeometryPlane::addAxisName(int component, const std::string& name, Point at) {
  const TensorRef& share = frame_.shares[static_cast<std::size_t>(component)];
  const std::string percent = formattedPercent(valueOf(scene_.sources, share).value_or(NAN));
  Text& text = addText(scene_, at, name + percent + " of the variance", theme_.note(), Align::Middle);
  text.value = share;
  if (component == 0) return;
  const float width = picture_.input.metrics.width(text.text, FontFace::Ui, Theme::small);
  text.upright = true, text.vertical = Align::Middle;
  if (width > frame_.box.height) text.text = "second, " + percent;
}

Dot GeometryPlane::dotOf(const VectorMark& mark) const {
  TensorRef pair = mark.row;
  pair.columnCount = 2;
  return {frame_.box, pair, across_, up_, mark.radius, mark.color, mark.square};
}

std::optional<SeenPlace> GeometryPlane::placeOf(const std::array<float, 3>& z) const {
  const bool isSeen = across_.low <= z[0] && z[0] <= across_.high && up_.low <= z[1] && z[1] <= up_.high;
  if (!isSeen) return std::nullopt;
  return SeenPlace{dotCenter(dotOf({}), z[0], z[1])};
}

float GeometryPlane::addMark(const VectorMark& mark, const SeenPlace&) {
  scene_.add(dotOf(mark));
  return mark.radius;
}

// The wheel brings the plane closer, dragging moves it, a double click shows all of it again.
HitRegion GeometryPlane::hit() const {
  HitRegion hit;
  hit.box = frame_.box;
  hit.name = "geometry plane";
  hit.zoom = [part = closeup_](float notches, Point at) { return setCloseup(closer(part, notches, at)); };
  hit.reset = [] { return setCloseup({}); };
  if (!closeup_.isWhole())
    hit.pan = [part = closeup_](Point by) {
      return setCloseup({part.zoom, part.x - by.x / part.zoom, part.y + by.y / part.zoom});
    };
  return hit;
}

}  // namespace glassformer
