#include "app/document/list_window.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("a list stays where it was scrolled to until something else is selected") {
  CHECK(firstShown({}, -1, 10, 30) == 0);
  CHECK(firstShown({7, 2}, 2, 10, 30) == 7);    // scrolled away from what is selected
  CHECK(firstShown({7, 2}, 1, 10, 30) == 1);    // up to another one
  CHECK(firstShown({7, 2}, 29, 10, 30) == 20);  // or down
  CHECK(firstShown({7, 2}, 9, 10, 30) == 7);    // in sight already
}

TEST_CASE("a list never shows what is beyond its ends") {
  CHECK(firstShown({25, 2}, 2, 10, 30) == 20);
  CHECK(firstShown({-5, 2}, 2, 10, 30) == 0);
  CHECK(firstShown({3, 2}, 2, 10, 5) == 0);
  CHECK(firstShown({3, 2}, 100, 0, 0) == 0);
}
