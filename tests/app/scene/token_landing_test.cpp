#include "app/scene/token_landing.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

namespace {

Scene withTokens(const std::vector<Box>& boxes) {
  Scene scene;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    HitRegion hit;
    hit.box = boxes[i];
    hit.target.token = static_cast<int>(i);
    hit.isToken = true;
    scene.hits.push_back(std::move(hit));
  }
  HitRegion other;  // something else, above all of them
  other.box = {0, 0, 1000, 1000};
  scene.hits.push_back(std::move(other));
  return scene;
}

int gapAt(const Scene& scene, Point at) {
  const auto landing = tokenLandingAt(scene, at);
  return landing ? landing->gap : -1;
}

}  // namespace

TEST_CASE("a dragged token lands before or after the one it is nearest to, in a line") {
  const Scene line = withTokens({{0, 0, 40, 50}, {44, 0, 60, 50}, {108, 0, 30, 50}});
  CHECK(gapAt(line, {3, 25}) == 0);
  CHECK(gapAt(line, {30, 25}) == 1);
  CHECK(gapAt(line, {50, 90}) == 1);  // below the line as well
  CHECK(gapAt(line, {100, 25}) == 2);
  CHECK(gapAt(line, {500, 25}) == 3);
  const auto landing = tokenLandingAt(line, {100, 25});
  CHECK(landing->mark.height == 50);
  CHECK(landing->mark.x >= 104);
  CHECK(landing->mark.right() <= 108);
}

TEST_CASE("in a list it lands above or below") {
  const Scene list = withTokens({{0, 0, 300, 24}, {0, 24, 300, 24}, {0, 48, 300, 24}});
  CHECK(gapAt(list, {290, 2}) == 0);
  CHECK(gapAt(list, {5, 20}) == 1);
  CHECK(gapAt(list, {290, 45}) == 2);
  CHECK(gapAt(list, {5, 400}) == 3);
  CHECK(tokenLandingAt(list, {5, 45})->mark.width == 300);
}

TEST_CASE("without tokens there is nowhere to land") { CHECK(gapAt(withTokens({}), {5, 5}) == -1); }
