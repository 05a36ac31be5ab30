#include "core/tensor/sixteen_bit_matrix.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

#include "core/random.h"

using namespace glassformer;

TEST_CASE("a bfloat16 is the upper half of the float32 that it stands for") {
  CHECK(floatFromBfloat16(0x3F80) == 1.0f);
  CHECK(floatFromBfloat16(0xC040) == -3.0f);
  CHECK(floatFromBfloat16(0x4049) == 3.140625f);
  CHECK(std::isinf(floatFromBfloat16(0x7F80)));
  CHECK(std::isnan(floatFromBfloat16(0x7FC0)));
}

#ifdef __linux__
namespace {

std::vector<SixteenBits> randomBits(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SixteenBits> bits(count);
  for (SixteenBits& each : bits) each = static_cast<SixteenBits>(random.uniform01() * 65536);
  return bits;
}

std::vector<const SixteenBits*> vectorsIn(const std::vector<SixteenBits>& bits, int count, int length) {
  std::vector<const SixteenBits*> vectors;
  for (int i = 0; i < count; ++i) vectors.push_back(bits.data() + static_cast<std::ptrdiff_t>(i) * length);
  return vectors;
}

// NaN included.
bool isSame(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

// What the process holds that is in no file, in bytes.
std::size_t heldBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::stoul(line.substr(line.find_first_of("0123456789"))) * 1024;
  return 0;
}

}  // namespace

TEST_CASE("a matrix kept in 16 bits reads as float32, its vectors being rows or columns") {
  for (const auto format : {SixteenBitFormat::Bfloat16, SixteenBitFormat::Half})
    for (const auto& [count, length] : {std::pair{1, 1}, {3, 5}, {700, 1030}, {1500, 17}, {17, 150000}}) {
      INFO(count << " of " << length);
      const std::vector<SixteenBits> bits = randomBits(static_cast<std::size_t>(count) * length, 1);
      using Vectors = SixteenBitMatrix::Vectors;
      const auto rows =
          SixteenBitMatrix::create(vectorsIn(bits, count, length), format, length, Vectors::Rows);
      const auto columns =
          SixteenBitMatrix::create(vectorsIn(bits, count, length), format, length, Vectors::Columns);
      REQUIRE(rows);
      REQUIRE(columns);
      bool areSame = true;
      for (int v = 0; v < count; ++v)
        for (int i = 0; i < length; ++i) {
          const auto inVector = static_cast<std::size_t>(v) * length + i;
          const float expected = widening(format)(bits[inVector]);
          areSame &= isSame(rows->values()[inVector], expected) &&
                     isSame(columns->values()[static_cast<std::size_t>(i) * count + v], expected);
        }
      CHECK(areSame);
      CHECK(rows->vectors()[count - 1] == bits.data() + static_cast<std::ptrdiff_t>(count - 1) * length);
    }
}

TEST_CASE("threads that read a widened matrix at once read the same") {
  const int count = 2000, length = 1000;
  const std::vector<SixteenBits> bits = randomBits(count * length, 2);
  for (int round = 0; round < 5; ++round) {
    const auto matrix = SixteenBitMatrix::create(vectorsIn(bits, count, length), SixteenBitFormat::Bfloat16,
                                                 length, SixteenBitMatrix::Vectors::Rows);
    std::vector<int> wrong(4);
    {
      std::vector<std::jthread> readers;
      for (int& found : wrong)
        readers.emplace_back([&] {
          for (std::size_t i = 0; i < bits.size(); ++i)
            found += !isSame(matrix->values()[i], floatFromBfloat16(bits[i]));
        });
    }
    CHECK(wrong == std::vector<int>(4));
  }
}

TEST_CASE("of what is widened so much stays and no more, and what went comes again", "[memory]") {
  const int length = 1 << 20;
  const int count = static_cast<int>(3 * SixteenBitMatrix::widenedBytes / sizeof(float) / length);
  const std::vector<SixteenBits> bits = randomBits(length, 3);
  const auto matrix =
      SixteenBitMatrix::create(std::vector<const SixteenBits*>(count, bits.data()),
                               SixteenBitFormat::Bfloat16, length, SixteenBitMatrix::Vectors::Rows);
  const std::size_t before = heldBytes();
  for (int round = 0; round < 2; ++round) {
    bool areSame = true;
    for (int row = 0; row < count; ++row)
      for (int i = 0; i < length; i += 1024)
        areSame &= isSame(matrix->values()[static_cast<std::ptrdiff_t>(row) * length + i],
                          floatFromBfloat16(bits[static_cast<std::size_t>(i)]));
    CHECK(areSame);
    const std::size_t held = heldBytes() - before;
    CHECK(held > SixteenBitMatrix::widenedBytes * 9 / 10);
    CHECK(held < SixteenBitMatrix::widenedBytes * 11 / 10);
  }
}
#endif
