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

TEST_CASE("minus infinity is masked, and the zeros of keys that the mask forbids") {
  Matrix matrix;
  CHECK(isMasked(matrix, 0, 0, -std::numeric_limits<float>::infinity()));
  CHECK_FALSE(isMasked(matrix, 0, 1, 0));
  matrix.mask.emplace();
  CHECK(isMasked(matrix, 0, 1, 0));
  CHECK_FALSE(isMasked(matrix, 1, 1, 0));
  CHECK_FALSE(isMasked(matrix, 0, 1, 0.25f));  // what an intervention put there is shown
  matrix.mask->kind = MaskKind::Window, matrix.mask->size = 2;
  matrix.mask->painted.paint({3, 0, true});
  CHECK(isMasked(matrix, 2, 0, 0));
  CHECK_FALSE(isMasked(matrix, 2, 1, 0));
  CHECK_FALSE(isMasked(matrix, 3, 0, 0));
}

TEST_CASE("in a part of a causal matrix the diagonal lies where it does in the whole") {
  Matrix matrix;
  matrix.mask.emplace();
  matrix.values = {"pattern", {0, 6, 4}, 1, 2, 3, 3};  // queries 6 to 8, keys 4 to 6
  CHECK_FALSE(isMasked(matrix, 0, 2, 0));              // query 6, key 6
  matrix.values.index = {0, 4, 6, 0};
  CHECK(isMasked(matrix, 0, 0, 0));
  CHECK(isMasked(matrix, 1, 0, 0));
  CHECK_FALSE(isMasked(matrix, 2, 0, 0));
}

TEST_CASE("a zoomed or sorted region names what its rows and columns stand for") {
  HitRegion region;
  region.box = {0, 0, 30, 30};
  region.target.cell = {"pattern", {1, 0, 0}, 1, 2, -1, -1};
  region.rows = region.columns = 3;
  region.rowAxis = Axis::Query, region.columnAxis = Axis::Key;
  region.firstRow = 6, region.firstColumn = 4;
  CHECK(targetAt(region, {25, 5}).cell.index == std::array<int, 4>{1, 6, 6, 0});
  region.rowOrder = {9, 2, 7};
  const Target target = targetAt(region, {5, 15});
  CHECK(target.query == 2);
  CHECK(target.key == 4);
  CHECK(target.cell.index == std::array<int, 4>{1, 2, 4, 0});
}

TEST_CASE("a lifted ribbon is an arc, any other a flat S") {
  Ribbon ribbon;
  ribbon.from = {10, 50}, ribbon.to = {30, 50};
  CHECK(ribbonControls(ribbon) == std::array{Point{20, 50}, Point{20, 50}});
  ribbon.lift = 40;
  CHECK(ribbonControls(ribbon) == std::array{Point{10, 10}, Point{30, 10}});
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

TEST_CASE("what a difference has nothing to compare with is masked, and NaN elsewhere is broken") {
  Matrix matrix;
  CHECK_FALSE(isMasked(matrix, 0, 0, NAN));
  matrix.gaps = true;
  CHECK(isMasked(matrix, 0, 0, NAN));
  CHECK_FALSE(isMasked(matrix, 0, 0, 0));
}

TEST_CASE("a dot lies where its two values are, the second upwards") {
  Dot dot;
  dot.box = {10, 20, 100, 50}, dot.across = {-2, 2}, dot.up = {0, 1};
  CHECK(dotCenter(dot, -2, 0) == Point{10, 70});
  CHECK(dotCenter(dot, 1, 1) == Point{85, 20});
  CHECK(dotCenter(dot, 0, 0.25f) == Point{60, 57.5f});
}

TEST_CASE("a space shows its first two directions from the front, and turns what is near to the right") {
  Space space;
  space.center = {1, 2, 3}, space.middle = {100, 50}, space.scale = 10;
  CHECK(space.at({1, 2, 3}) == Point{100, 50});
  CHECK(space.at({2, 4, 9}) == Point{110, 30});
  space.yaw = 90;
  CHECK(space.at({1, 2, 4}).x == Catch::Approx(110));
  CHECK(space.turned({2, 2, 3})[2] == Catch::Approx(-1));  // the first direction goes away from us
  space.yaw = 0, space.pitch = 90;                         // from above
  CHECK(space.at({1, 2, 4}).y == Catch::Approx(60));
  CHECK(space.turned({1, 5, 3})[2] == Catch::Approx(3));
  // A rotation: lengths stay.
  space.yaw = 37, space.pitch = 21;
  const auto [x, y, near] = space.turned({3, 5, 9});
  CHECK(x * x + y * y + near * near == Catch::Approx(4 + 9 + 36));
}

TEST_CASE("a phasor points to the angle of its sine and cosine, as long as it is said to be") {
  Phasor phasor;
  phasor.center = {10, 20}, phasor.length = 5;
  CHECK(phasorTip(phasor, 3, 0).x == Catch::Approx(10));
  CHECK(phasorTip(phasor, 3, 0).y == Catch::Approx(15));  // upwards
  CHECK(phasorTip(phasor, 0, -2).x == Catch::Approx(5));
  const Point tip = phasorTip(phasor, 0.3f, 0.4f);
  CHECK(tip.x == Catch::Approx(14));
  CHECK(tip.y == Catch::Approx(17));
}
