#include "core/tensor/sixteen_bits.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

using namespace glassformer;

// Bit patterns worked out from IEEE 754-2008, binary16.
TEST_CASE("half-precision numbers become the floats they stand for") {
  CHECK(floatFromHalf(0x0000) == 0.0f);
  CHECK(floatFromHalf(0x3C00) == 1.0f);
  CHECK(floatFromHalf(0xC000) == -2.0f);
  CHECK(floatFromHalf(0x3555) == 0.333251953125f);
  CHECK(floatFromHalf(0x7BFF) == 65504.0f);
  CHECK(floatFromHalf(0x0400) == std::ldexp(1.0f, -14));
  CHECK(floatFromHalf(0x03FF) == std::ldexp(1023.0f, -24));
  CHECK(floatFromHalf(0x8001) == -std::ldexp(1.0f, -24));
  CHECK(std::signbit(floatFromHalf(0x8000)));
  CHECK(floatFromHalf(0x7C00) == std::numeric_limits<float>::infinity());
  CHECK(floatFromHalf(0xFC00) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(floatFromHalf(0x7E00)));
}

TEST_CASE("every finite half is the sum that its bits say") {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent == 31) continue;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (static_cast<double>(floatFromHalf(static_cast<std::uint16_t>(bits))) !=
        (bits & 0x8000 ? -magnitude : magnitude))
      FAIL("bits " << bits);
  }
}
