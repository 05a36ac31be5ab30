#include "app/views/residual/geometry_space.h"

#include <algorithm>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"

namespace glassformer {

namespace {

constexpr float floorSide = -1;  // the lower end of the second component
constexpr float numbersApart = 48;

}  // namespace

Command seenAsUsual() {
  return commands::changeSettings([](ViewSettings& settings) {
    settings.choose(spaceTurning.choice, "");
    settings.choose(closeupChoice, "");
  });
}

GeometrySpace::GeometrySpace(ResidualPicture& picture, const GeometryFrame& frame)
    : picture_(picture),
      scene_(picture.scene),
      theme_(picture.theme),
      frame_(frame),
      closeup_(closeupOf(picture.input.workspace.settings)),
      angle_(spaceTurning.of(picture.input.workspace.settings)),
      texts_(picture.scene, picture.input.metrics) {
  space_.yaw = angle_.yaw, space_.pitch = angle_.pitch;
  float longest = 0;
  for (const Range& range : frame_.ranges) longest = std::max(longest, range.high - range.low);
  const float around = longest > 0 ? 0.04f * longest : 1;  // so that no mark lies on a wall
  for (std::size_t c = 0; c < 3; ++c) {
    const Range& range = frame_.ranges[c];
    space_.center[c] = (range.low + range.high) / 2;
    half_[c] = (range.high - range.low) / 2 + around;
    frame_.ranges[c] = {range.low - around, range.high + around};
  }
  // As large as it finds room whichever way it is turned, so that turning does not make it grow.
  const Box room = {frame.box.x + 72, frame.box.y + 12, std::max(1.0f, frame.box.width - 144),
                    std::max(1.0f, frame.box.height - 52)};
  const float wide = std::hypot(half_[0], half_[2]);
  const auto [across, up, towards] = Space{.pitch = angle_.pitch}.turned({0, half_[1], -wide});
  space_.scale = std::min(room.width / 2 / wide, room.height / 2 / up);
  space_.middle = room.center();
  const auto isNear = [&](Signs side) {
    const std::array<float, 3> z = inBox(side);
    return space_.turned(z)[2] > 0 ? 1.0f : -1.0f;
  };
  frontFirst_ = isNear({1, 0, 0}), frontThird_ = isNear({0, 0, 1});
  nearest_ = space_.turned(inBox({frontFirst_, 1, frontThird_}))[2];
  bringCloser();
}

void GeometrySpace::bringCloser() {
  const Box& box = frame_.box;
  const float zoom = closeup_.zoom;
  space_.scale *= zoom;
  space_.middle = {box.center().x + zoom * (space_.middle.x - box.x - closeup_.x * box.width),
                   box.center().y + zoom * (space_.middle.y - box.y - (1 - closeup_.y) * box.height)};
}

std::array<float, 3> GeometrySpace::inBox(const Signs& signs) const {
  std::array<float, 3> z = space_.center;
  for (std::size_t c = 0; c < 3; ++c) z[c] += signs[c] * half_[c];
  return z;
}

// Of an edge along a component, as it is seen.
float GeometrySpace::length(int component) const {
  Signs low{}, high{};
  low[static_cast<std::size_t>(component)] = -1, high[static_cast<std::size_t>(component)] = 1;
  const Point a = corner(low), b = corner(high);
  return std::hypot(b.x - a.x, b.y - a.y);
}

void GeometrySpace::addLine(Point a, Point b, Rgba color) {
  const bool isWhole = closeup_.isWhole();
  if (!isWhole) scene_.add(PushClip{frame_.box});
  scene_.add(Line{{a, b}, color});
  if (!isWhole) scene_.add(PopClip{});
}

void GeometrySpace::addAxes() {
  scene_.add(Rect{frame_.box, theme_.panel, theme_.line});
  addGrid(0, 2);
  addGrid(2, 0);
  addEdges();
  addFloorAxis(0, {0, floorSide, frontThird_});
  addFloorAxis(2, {frontFirst_, floorSide, 0});
  addUprightAxis();
}

// Lines of the floor at the numbers of one component, along another.
void GeometrySpace::addGrid(int along, int across) {
  const auto a = static_cast<std::size_t>(along), b = static_cast<std::size_t>(across);
  for (const Tick& tick : ticksAlong(frame_.ranges[a], length(along), numbersApart, 20)) {
    std::array<float, 3> from = inBox({0, floorSide, 0}), to = from;
    from[a] = to[a] = tick.value;
    from[b] = frame_.ranges[b].low, to[b] = frame_.ranges[b].high;
    addLine(space_.at(from), space_.at(to), gridColor(theme_, tick.value));
  }
}

// The floor, and the edges behind the vectors.
void GeometrySpace::addEdges() {
  const Rgba edge = theme_.quiet.faded(0.4f);
  for (const float up : {-1.0f, 1.0f})
    for (const float side : {-1.0f, 1.0f}) {
      const bool isFloor = up == floorSide;
      if (isFloor || side != frontThird_) addLine(corner({-1, up, side}), corner({1, up, side}), edge);
      if (isFloor || side != frontFirst_) addLine(corner({side, up, -1}), corner({side, up, 1}), edge);
    }
  for (const float first : {-1.0f, 1.0f})
    for (const float third : {-1.0f, 1.0f})
      if (first != frontFirst_ || third != frontThird_)
        addLine(corner({first, -1, third}), corner({first, 1, third}), edge);
}

// Along the front edge of the floor whose middle this is.
void GeometrySpace::addFloorAxis(int component, const Signs& middle) {
  const Point edge = corner(middle), out = directionOf(corner({0, floorSide, 0}), edge);
  addName(component, component == 0 ? "first" : "third", edge, out, false);
  addTicks(component, middle, out);
}

// Along the one of its four edges that is furthest left.
void GeometrySpace::addUprightAxis() {
  Signs left{-1, 0, -1};
  for (const float first : {-1.0f, 1.0f})
    for (const float third : {-1.0f, 1.0f})
      if (corner({first, 0, third}).x < corner(left).x) left = {first, 0, third};
  const Point edge = corner(left);
  addName(1, "second", edge, {-1, 0}, true);
  addTicks(1, left, {-1, 0});
}

void GeometrySpace::addTicks(int component, Signs edge, Point out) {
  const auto c = static_cast<std::size_t>(component);
  for (const Tick& tick : ticksAlong(frame_.ranges[c], length(component), numbersApart, 20)) {
    std::array<float, 3> z = inBox(edge);
    z[c] = tick.value;
    Text number;
    number.text = formattedShort(tick.value), number.style = theme_.quietMono();
    addOutside(space_.at(z), out, number, 12);
  }
}

bool GeometrySpace::addName(int component, const char* name, Point edge, Point out, bool upright) {
  constexpr float behindNumbers = 40;
  const TensorRef& share = frame_.shares[static_cast<std::size_t>(component)];
  const std::string percent = formattedPercent(valueOf(scene_.sources, share).value_or(NAN));
  for (const char* noun : {" component, ", ", "}) {
    Text words;
    words.text = name + (noun + percent), words.style = theme_.note();
    words.value = share, words.upright = upright;
    if (addOutside(edge, out, words, behindNumbers)) return true;
  }
  return false;
}

bool GeometrySpace::addOutside(Point edge, Point out, Text text, float gap) {
  Text placed = text;
  placed.horizontal = Align::Middle, placed.at = {edge.x + gap * out.x, edge.y + gap * out.y};
  const Box box = textBox(picture_.input.metrics, placed), room = frame_.box.inset(4);
  const float sideways = text.upright ? 0 : box.width / 2;
  const bool isInside = box.x - sideways >= room.x && box.right() + sideways <= room.right() &&
                        box.y >= room.y && box.bottom() <= room.bottom();
  return isInside && texts_.add(edge, out, std::move(text), gap);
}

std::optional<SeenPlace> GeometrySpace::placeOf(const std::array<float, 3>& z) const {
  const Point at = space_.at(z);
  if (!frame_.box.contains(at)) return std::nullopt;
  return SeenPlace{at, std::clamp((space_.turned(z)[2] / nearest_ + 1) / 2, 0.0f, 1.0f)};
}

void GeometrySpace::addFootOf(const std::array<float, 3>& z) {
  std::array<float, 3> foot = z;
  foot[1] = frame_.ranges[1].low;
  const Point at = space_.at(foot);
  addLine(space_.at(z), at, theme_.quiet.faded(0.35f));
  if (frame_.box.contains(at))
    scene_.add(Rect{{at.x - 1.5f, at.y - 1.5f, 3, 3}, theme_.quiet.faded(0.6f), {0, 0, 0, 0}, 1.5f});
}

float GeometrySpace::addMark(const VectorMark& mark, const SeenPlace& place) {
  TensorRef triple = mark.row;
  triple.columnCount = 3;
  const float radius = mark.radius * (0.7f + 0.5f * place.nearness);
  const float solid = mark.stands ? 1 : 0.55f + 0.45f * place.nearness;
  scene_.add(SpaceDot{space_, triple, radius, mark.color.faded(solid), mark.square});
  return radius;
}

HitRegion GeometrySpace::hit() const {
  HitRegion hit;
  hit.box = frame_.box;
  hit.name = "geometry space";
  letTurn(hit, angle_, [](SurfaceAngle to) { return spaceTurning.turn(to); });
  hit.zoom = [part = closeup_](float notches, Point at) { return setCloseup(closer(part, notches, at)); };
  hit.reset = seenAsUsual;
  return hit;
}

}  // namespace glassformer
