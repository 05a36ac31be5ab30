#include "app/scene/plot.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/plain_metrics.h"

using namespace glassformer;
using Catch::Approx;

namespace {

std::vector<float> numbersOf(const std::vector<Tick>& ticks) {
  std::vector<float> numbers;
  for (const Tick& tick : ticks) numbers.push_back(tick.value);
  return numbers;
}

template <typename T>
std::vector<T> shapesOf(const Scene& scene) {
  std::vector<T> found;
  for (const Shape& shape : scene.shapes)
    if (const T* one = std::get_if<T>(&shape)) found.push_back(*one);
  return found;
}

// Two rows of five numbers.
Scene withNumbers() {
  auto set = std::make_shared<TensorSet>();
  set->add({"rows", "YZ", "two rows", ""}, Tensor({2, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  Scene scene;
  scene.sources.add(set);
  return scene;
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

TEST_CASE("an axis is numbered by 1, 2 or 5 times a power of ten") {
  CHECK(numbersOf(ticksAlong({0, 10}, 100, 26, 0)) == std::vector<float>{0, 5, 10});
  CHECK(numbersOf(ticksAlong({-1, 1}, 100, 26, 18)) == std::vector<float>{0});
  CHECK(numbersOf(ticksAlong({0, 700}, 800, 80, 0)) ==
        std::vector<float>{0, 100, 200, 300, 400, 500, 600, 700});
  CHECK(ticksAlong({3, 3}, 100, 26, 0).empty());
  for (const Tick& tick : ticksAlong({0, 8}, 400, 50, 0)) CHECK(tick.along == Approx(50 * tick.value));
}

TEST_CASE("a logarithmic axis has 1, 2 and 5 of every power, every power, or as many as have room") {
  CHECK(numbersOf(ticksAlong({1, 100, true}, 400, 26, 0)) == std::vector<float>{1, 2, 5, 10, 20, 50, 100});
  CHECK(numbersOf(ticksAlong({1, 100, true}, 100, 26, 0)) == std::vector<float>{1, 10, 100});
  const auto few = ticksAlong({1e-6f, 1e6f, true}, 120, 26, 0);
  REQUIRE(few.size() > 2);
  for (std::size_t i = 1; i < few.size(); ++i) CHECK(few[i].along - few[i - 1].along >= 26);
}

TEST_CASE("the numbers of an axis lie beside each other, whatever its range and height") {
  for (const Range range : {Range{0, 0.54f}, {-3, 3}, {-0.2f, 7}, {0.3f, 90, true}, {1e-9f, 2, true}, {0, 1}})
    for (float height = 8; height < 900; height *= 1.3f) {
      Scene scene;
      addValueAxis(scene, plainTypography(), {60, 10, 300, height}, range);
      const auto texts = shapesOf<Text>(scene);
      REQUIRE_FALSE(texts.empty());
      for (const Text& a : texts)
        for (const Text& b : texts)
          if (&a != &b)
            CHECK_FALSE(
                overlap(textBox(plainTypography().metrics, a), textBox(plainTypography().metrics, b)));
    }
}

TEST_CASE("shares are written as whole percents where they are") {
  CHECK(percentWords(0.3f) == "30 %");
  CHECK(percentWords(0.039f) == "3.9 %");
  CHECK(percentWords(0) == "0 %");
}

TEST_CASE("steps are numbered whole") {
  Scene scene;
  addStepAxis(scene, plainTypography(), {0, 0, 1000, 100}, 6, 5);
  std::vector<std::string> words;
  for (const Text& text : shapesOf<Text>(scene)) words.push_back(text.text);
  CHECK(words == std::vector<std::string>{"0", "1", "2", "3", "4", "5"});
}

TEST_CASE("every line of a plot is its tensor's row, and every column answers with its numbers") {
  Scene scene = withNumbers();
  const PlotLine first{{"rows", {0, 0}, -1, 1}, rgb(1), 2, "first"},
      second{{"rows", {1, 0}, -1, 1}, rgb(2), 2, "second"};
  HitRegion& hit = addPlot(scene, plainTypography(), {{50, 0, 100, 80}, {0, 10}, {first, second}}, "rows",
                           [](int column) { return "column " + std::to_string(column); });
  const auto curves = shapesOf<Curve>(scene);
  REQUIRE(curves.size() == 2);
  CHECK(curves.back().values == first.values);  // on top
  CHECK(hit.columns == 5);
  const Target target = targetAt(hit, {50 + 70, 40});
  CHECK(valueOf(scene.sources, target.cell) == 3);
  CHECK(hit.say(target) == "column 3\nfirst: 3.000\nsecond: 8.000");
}

TEST_CASE("a dot of a plot lies on its line") {
  Scene scene = withNumbers();
  const std::size_t before = shapesOf<Rect>(scene).size();
  addPlotLines(scene, plainTypography(),
               {{0, 0, 100, 84}, {0, 4}, {{{"rows", {0, 0}, -1, 1}, rgb(3), 2, "", 1, true}}});
  const auto rects = shapesOf<Rect>(scene);
  REQUIRE(rects.size() == before + 1 + 5);  // the frame, and a dot a column
  const Curve curve = shapesOf<Curve>(scene).front();
  CHECK(rects.back().box.center() == curvePoint(curve, 4, 5, 4));
}
