#include "app/scene/bar_table.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "app/scene/format.h"
#include "tests/app/views/plain_metrics.h"

using namespace glassformer;

namespace {

// 0.25, −3 and no number.
Scene withThree() {
  auto set = std::make_shared<TensorSet>();
  set->add({"three", "Y", "three numbers", ""},
           Tensor({3}, {0.25f, -3, std::numeric_limits<float>::quiet_NaN()}));
  Scene scene;
  scene.sources.add(set);
  return scene;
}

template <typename T>
const T* lastOf(const Scene& scene) {
  const T* last = nullptr;
  for (const Shape& shape : scene.shapes)
    if (const T* one = std::get_if<T>(&shape)) last = one;
  return last;
}

}  // namespace

TEST_CASE("a row of bars has its name, its bar and its number beside each other, all of one tensor's cell") {
  Scene scene = withThree();
  const TensorRef cell{"three", {0}};
  const HitRegion& hit = addBarRow(scene, plainTypography(), {{0, 1}, 80, 60, 8, formattedPercent},
                                   {{10, 20, 300, 24}, cell, "a share"}, "row 0");
  const Bar* bar = lastOf<Bar>(scene);
  REQUIRE(bar);
  CHECK(bar->value == cell);
  CHECK(bar->track == Box{90, 28, 160, 8});
  const Text* number = lastOf<Text>(scene);
  CHECK(number->value == cell);
  CHECK(number->text == formattedPercent(0.25f));
  CHECK(textBox(plainTypography().metrics, *number).x >= bar->track.right());
  CHECK(hit.target.cell == cell);
  CHECK(hit.box == Box{10, 20, 300, 24});
}

TEST_CASE("the bar stands below its name and number where a table says so") {
  Scene scene = withThree();
  addBar(scene, plainTypography(), {.range = {-4, 4}, .thickness = 4, .below = true},
         {{0, 0, 100, 30}, {"three", {1}}, "name"});
  const Bar* bar = lastOf<Bar>(scene);
  REQUIRE(bar);
  CHECK(bar->track.width == 100);
  CHECK(bar->track.y >= 20);
  CHECK(lastOf<Text>(scene)->text == "−3.00");
}

TEST_CASE("what is no number has a name and no bar") {
  Scene scene = withThree();
  addBar(scene, plainTypography(), {{0, 1}, 80}, {{0, 0, 300, 24}, {"three", {2}}, "nothing"});
  CHECK_FALSE(lastOf<Bar>(scene));
  CHECK(lastOf<Text>(scene)->text == "nothing");
}
