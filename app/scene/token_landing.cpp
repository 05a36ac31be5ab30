#include "app/scene/token_landing.h"

#include <cmath>

namespace glassformer {

namespace {

float distance(const Box& box, Point at) {
  const float dx = std::max({box.x - at.x, 0.0f, at.x - box.right()});
  const float dy = std::max({box.y - at.y, 0.0f, at.y - box.bottom()});
  return std::hypot(dx, dy);
}

const HitRegion* nearestToken(const Scene& scene, Point at) {
  const HitRegion* nearest = nullptr;
  for (const HitRegion& hit : scene.hits)
    if (hit.isToken && (!nearest || distance(hit.box, at) < distance(nearest->box, at))) nearest = &hit;
  return nearest;
}

// Rows of a table, other than pieces of a line.
bool isStacked(const Scene& scene, const HitRegion& token) {
  for (const HitRegion& hit : scene.hits)
    if (hit.isToken && std::abs(hit.target.token - token.target.token) == 1)
      return hit.box.x == token.box.x && hit.box.width == token.box.width;
  return false;
}

}  // namespace

std::optional<TokenLanding> tokenLandingAt(const Scene& scene, Point at) {
  constexpr float width = 2;
  const HitRegion* token = nearestToken(scene, at);
  if (!token) return std::nullopt;
  const Box& box = token->box;
  const bool stacked = isStacked(scene, *token);
  const bool after = stacked ? at.y > box.center().y : at.x > box.center().x;
  const int gap = token->target.token + (after ? 1 : 0);
  if (stacked)
    return TokenLanding{gap, {box.x, (after ? box.bottom() : box.y) - width / 2, box.width, width}};
  return TokenLanding{gap, {after ? box.right() + 1 : box.x - 1 - width, box.y, width, box.height}};
}

}  // namespace glassformer
