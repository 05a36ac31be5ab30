#include "app/drawing/strong_cells.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace glassformer;

TEST_CASE("cells are strong on either side of zero, side by side or apart") {
  const std::vector<float> cells{0.5f, -0.5f, 0.4f, -0.7f, 0, 1};
  CHECK(strongCells(0.5f, cells.data(), 6, 1) == 4);
  CHECK(strongCells(0.5f, cells.data(), 3, 2) == 1);
  CHECK(strongCells(0.5f, cells.data() + 1, 3, 2) == 3);
}
