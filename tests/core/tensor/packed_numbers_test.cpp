#include "core/tensor/packed_numbers.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

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

TEST_CASE("a number of a block is its whole one times what all are multiplied by, exactly") {
  std::vector<std::byte> blocks(2 * NumberBlock::bytes);
  const auto factors = {std::pair{0u, 0x3555u}, {1u, 0x8001u}};  // 0.333251953125 and −2⁻²⁴
  for (const auto& [b, bits] : factors) {
    blocks[b * NumberBlock::bytes] = std::byte(bits & 0xFF);
    blocks[b * NumberBlock::bytes + 1] = std::byte(bits >> 8);
    for (unsigned i = 0; i < NumberBlock::numbers; ++i)
      blocks[b * NumberBlock::bytes + 2 + i] = std::byte(i == 0 ? 0x80 : i == 1 ? 0x7F : i);
  }
  CHECK(packedBytes(PackedFormat::Blocks, 64) == blocks.size());
  const auto number = readingOf(PackedFormat::Blocks);
  CHECK(static_cast<double>(number(blocks.data(), 0)) == -128 * 0.333251953125);
  CHECK(static_cast<double>(number(blocks.data(), 1)) == 127 * 0.333251953125);
  CHECK(static_cast<double>(number(blocks.data(), 31)) == 31 * 0.333251953125);
  CHECK(number(blocks.data(), 32) == std::ldexp(1.0f, -17));
  CHECK(number(blocks.data(), 35) == -3 * std::ldexp(1.0f, -24));
  std::vector<float> some(4);
  unpack(PackedFormat::Blocks, blocks.data(), 30, some.size(), some.data());
  CHECK(some == std::vector{number(blocks.data(), 30), number(blocks.data(), 31), number(blocks.data(), 32),
                            number(blocks.data(), 33)});
}
