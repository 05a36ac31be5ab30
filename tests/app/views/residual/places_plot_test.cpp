#include "app/views/residual/places_plot.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>

using namespace glassformer;

TEST_CASE("few tokens all have a line") {
  const Tensor values({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(linesDrawn(values.view()) == std::vector{0, 1, 2});
  CHECK(aboutLines(3) == "");
  CHECK(aboutLines(64) == "");
}

TEST_CASE("of many tokens evenly many have a line, and whichever is outermost anywhere") {
  constexpr int tokens = 200;  // every 4th
  Tensor values({3, tokens}, std::vector<float>(3 * tokens, 1));
  values(0, 17) = 5;   // the largest at the first place
  values(1, 18) = -5;  // the smallest at the second
  values(2, 19) = std::numeric_limits<float>::quiet_NaN();
  values(2, 21) = 2, values(2, 22) = 3;
  const std::vector<int> drawn = linesDrawn(values.view());
  for (int token = 0; token < tokens; ++token) {
    const bool expected = token % 4 == 0 || token == 17 || token == 18 || token == 22;
    CHECK(std::ranges::binary_search(drawn, token) == expected);
  }
  CHECK(aboutLines(tokens) == "; lines for every 4th token and the outermost");
  CHECK(aboutLines(65) == "; lines for every 2nd token and the outermost");
}
