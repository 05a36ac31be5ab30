#include "app/scene/legend.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/plain_metrics.h"

using namespace glassformer;

namespace {

const std::vector<LegendEntry> entries{
    {"training", rgb(1)}, {"validation", rgb(2)}, {"what is clipped", rgb(3), 0}};

std::vector<Box> wordsOf(const Scene& scene) {
  std::vector<Box> boxes;
  for (const Shape& shape : scene.shapes)
    if (const Text* text = std::get_if<Text>(&shape))
      boxes.push_back(textBox(plainTypography().metrics, *text));
  return boxes;
}

}  // namespace

TEST_CASE("a legend has as many lines as its entries need") {
  Scene wide, narrow;
  const Box one = addLegend(wide, plainTypography(), {10, 10, 900, 20}, entries),
            three = addLegend(narrow, plainTypography(), {10, 10, 130, 20}, entries);
  CHECK(one.height == legendLine);
  CHECK(three.height == 3 * legendLine);
  const auto words = wordsOf(narrow);
  REQUIRE(words.size() == 3);
  for (std::size_t i = 1; i < words.size(); ++i) CHECK(words[i].y > words[i - 1].bottom());
}

TEST_CASE("a legend at the right ends there, and is shortened where it has no room") {
  for (const float width : {600.0f, 220.0f}) {
    Scene scene;
    const Box covered = addLegend(scene, plainTypography(), {40, 0, width, 30}, entries, Align::End);
    CHECK(covered.right() <= 40 + width + 1);
    CHECK(covered.x >= 39);
    const auto words = wordsOf(scene);
    REQUIRE(words.size() == 3);
    for (std::size_t i = 1; i < words.size(); ++i) CHECK(words[i].x > words[i - 1].right());
  }
}
