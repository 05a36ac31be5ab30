#include "app/drawing/outside_texts.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

bool OutsideTexts::add(Point edge, Point out, Text text, float gap) {
  constexpr float sideways = 0.35f;
  text.horizontal = Align::Middle;
  text.at = {edge.x + gap * out.x, edge.y + gap * out.y};
  if (std::abs(out.x) > sideways && !text.upright) text.horizontal = out.x > 0 ? Align::Start : Align::End;
  const Box box = textBox(metrics_, text).inset(-4, 0);
  if (!isFree(box)) return false;
  take(box);
  scene_.add(std::move(text));
  return true;
}

bool OutsideTexts::isFree(const Box& box) const {
  return std::ranges::none_of(taken_, [&](const Box& other) {
    return box.x < other.right() && other.x < box.right() && box.y < other.bottom() && other.y < box.bottom();
  });
}

Point directionOf(Point from, Point to) {
  const float length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-3f);
  return {(to.x - from.x) / length, (to.y - from.y) / length};
}

}  // namespace glassformer
