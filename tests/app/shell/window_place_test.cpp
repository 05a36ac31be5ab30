#include "app/shell/window_place.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("a window larger than its monitor's room becomes as large as fits, title bar included",
          "[others]") {
  const WindowFrame frame{2, 30, 2, 2};
  CHECK(placedIn({0, 0, 1280, 720}, 1600, 1000, {}) == WindowPlace{0, 0, 1280, 720});
  CHECK(placedIn({0, 0, 1280, 720}, 1600, 1000, frame) == WindowPlace{2, 30, 1276, 688});
  // Beside another monitor, below a bar of 40: only the height has to give.
  CHECK(placedIn({1920, 40, 1680, 960}, 1600, 1000, frame) == WindowPlace{1960, 70, 1600, 928});
}

TEST_CASE("a window that fits keeps its size, in the middle", "[others]") {
  CHECK(placedIn({0, 0, 1920, 1080}, 1600, 1000, {0, 20, 0, 0}) == WindowPlace{160, 50, 1600, 1000});
  CHECK(placedIn({0, 0, 1600, 1000}, 1600, 1000, {}) == WindowPlace{0, 0, 1600, 1000});
}

TEST_CASE("a monitor without room still has a window", "[others]") {
  const WindowPlace placed = placedIn({0, 0, 0, 0}, 1600, 1000, {4, 30, 4, 4});
  CHECK(placed.width > 0);
  CHECK(placed.height > 0);
}
