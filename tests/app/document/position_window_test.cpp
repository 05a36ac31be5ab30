#include "app/document/position_window.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("an empty window shows everything, a stored one never leaves the text") {
  CHECK(clamped({}, 12) == PositionWindow{0, 0, 12});
  CHECK(clamped({3, 2, 40}, 12) == PositionWindow{0, 0, 12});
  CHECK(clamped({500, -7, 6}, 12) == PositionWindow{6, 0, 6});
  CHECK(clamped({0, 0, 1}, 12).count == fewestPositions);
  CHECK(clamped({0, 0, 1}, 2) == PositionWindow{0, 0, 2});
  CHECK(clamped({0, 0, 5}, 0).count == 0);
}

TEST_CASE("zooming keeps what lies under the pointer") {
  const PositionWindow closer = zoomed({}, 100, 1, 0.5f, 1);
  CHECK(closer == PositionWindow{10, 20, 80});
  CHECK(zoomed({}, 100, 1, 0, 0) == PositionWindow{0, 0, 80});
  CHECK(zoomed(closer, 100, -1, 0.5f, 1) == PositionWindow{});  // everything again
  CHECK(zoomed({0, 0, 5}, 100, 20, 0, 0).count == fewestPositions);
  CHECK(zoomed({0, 0, 5}, 100, -0.1f, 0, 0).count == 6);  // the smallest step is one token
  CHECK(zoomed({}, 3, 5, 0.5f, 0.5f) == PositionWindow{0, 0, 3});
}

TEST_CASE("panning moves by what is shown and stops at the ends") {
  CHECK(panned({10, 20, 40}, 100, 0.25f, -0.25f) == PositionWindow{20, 10, 40});
  CHECK(panned({10, 20, 40}, 100, 9, -9) == PositionWindow{60, 0, 40});
  CHECK(panned({}, 100, 0.5f, 0.5f) == PositionWindow{});
}
