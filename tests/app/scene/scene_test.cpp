#include "app/scene/scene.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>

using namespace glassformer;
using Catch::Approx;

TEST_CASE("a bar is as long as its value, from zero") {
  const Bar bar{{10, 0, 100, 8}, {}, {-1, 1}, {}, false, 2};
  CHECK(barBox(bar, 0.5f) == Box{60, 0, 25, 8});
  CHECK(barBox(bar, -1) == Box{10, 0, 50, 8});
  CHECK(barBox(bar, 7).right() == Approx(110));
  Bar upright{{0, 0, 8, 100}, {}, {0, 1}, {}, true, 2};
  CHECK(barBox(upright, 0.25f) == Box{0, 75, 8, 25});
}

TEST_CASE("a curve's points sit over the middle of their columns") {
  const Curve curve{{0, 0, 100, 50}, {}, {0, 10}, {}, 1};
  CHECK(curvePoint(curve, 0, 4, 10) == Point{12.5f, 0});
  CHECK(curvePoint(curve, 3, 4, 0) == Point{87.5f, 50});
}

TEST_CASE("pointing at a grid names its row, column and cell") {
  Scene scene;
  HitRegion region;
  region.box = {0, 0, 40, 30};
  region.target.layer = 2;
  region.target.cell = {"pattern", {1, 0, 0}, 1, 2, -1, -1};
  region.rows = 3, region.columns = 4;
  region.rowAxis = Axis::Query, region.columnAxis = Axis::Key;
  scene.hits.push_back(region);
  CHECK(hitAt(scene, {41, 5}) == nullptr);
  const HitRegion* hit = hitAt(scene, {25, 29});
  REQUIRE(hit);
  const Target target = targetAt(*hit, {25, 29});
  CHECK(target.query == 2);
  CHECK(target.key == 2);
  CHECK(target.layer == 2);
  CHECK(target.cell.index == std::array<int, 4>{1, 2, 2, 0});
  CHECK(target.touches(2));
  CHECK_FALSE(target.touches(-1));
}

TEST_CASE("what lies on top is what the pointer is on") {
  Scene scene;
  for (int step : {1, 2}) {
    HitRegion region;
    region.box = {0, 0, 10, 10};
    region.target.step = step;
    scene.hits.push_back(region);
  }
  CHECK(hitAt(scene, {5, 5})->target.step == 2);
}

TEST_CASE("minus infinity is masked, and in a causal matrix the zeros of later keys") {
  Matrix matrix;
  CHECK(isMasked(matrix, 0, 0, -std::numeric_limits<float>::infinity()));
  CHECK_FALSE(isMasked(matrix, 0, 1, 0));
  matrix.causal = true;
  CHECK(isMasked(matrix, 0, 1, 0));
  CHECK_FALSE(isMasked(matrix, 1, 1, 0));
  CHECK_FALSE(isMasked(matrix, 0, 1, 0.25f));  // what an intervention put there is shown
}

TEST_CASE("a region says what its cell is") {
  HitRegion region;
  region.box = {0, 0, 20, 10};
  region.columns = 2;
  region.columnAxis = Axis::Key;
  region.say = [](const Target& target) { return "key " + std::to_string(target.key); };
  CHECK(targetAt(region, {15, 5}).text == "key 1");
}

TEST_CASE("on a logarithmic range equal ratios are equally far apart") {
  const Range range{1, 100, true};
  CHECK(range.fraction(1) == 0);
  CHECK(range.fraction(10) == Approx(0.5f));
  CHECK(range.fraction(100) == Approx(1));
  CHECK(range.fraction(0) < 0);
  const Curve curve{{0, 0, 100, 50}, {}, range, {}, 1};
  CHECK(curvePoint(curve, 0, 4, 0).y == 50);  // what has no logarithm lies on the ground
}
