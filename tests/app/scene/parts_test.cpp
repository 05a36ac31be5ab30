#include "app/scene/parts.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/scene/format.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("axes end at a number with two digits that holds the value") {
  CHECK(roundedUp(5.237f) == Approx(5.4f));
  CHECK(roundedUp(1) == Approx(1));
  CHECK(roundedUp(0.0301f) == Approx(0.032f));
  CHECK(roundedUp(0) == 1);
  CHECK(roundedDown(5.237f) == Approx(5.2f));
  CHECK(roundedDown(1) == Approx(1));
}

TEST_CASE("axes and scales spell numbers without trailing zeros") {
  CHECK(formattedShort(1) == "1");
  CHECK(formattedShort(-0.5f) == "−0.5");
  CHECK(formattedShort(100) == "100");
  CHECK(formattedShort(5.237f) == "5.237");
  CHECK(formattedShort(2e-5f) == formatted(2e-5f));
}
