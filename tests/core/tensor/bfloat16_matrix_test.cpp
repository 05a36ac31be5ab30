#include "core/tensor/bfloat16_matrix.h"

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

std::vector<Bfloat16> randomBits(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Bfloat16> bits(count);
  for (Bfloat16& each : bits) each = static_cast<Bfloat16>(random.uniform01() * 65536);
  return bits;
}

std::vector<const Bfloat16*> vectorsIn(const std::vector<Bfloat16>& bits, int count, int length) {
  std::vector<const Bfloat16*> vectors;
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

TEST_CASE("a matrix kept as bfloat16 reads as float32, its vectors being rows or columns") {
  for (const auto& [count, length] : {std::pair{1, 1}, {3, 5}, {700, 1030}, {1500, 17}, {17, 150000}}) {
    INFO(count << " of " << length);
    const std::vector<Bfloat16> bits = randomBits(static_cast<std::size_t>(count) * length, 1);
    using Vectors = Bfloat16Matrix::Vectors;
    const auto rows = Bfloat16Matrix::create(vectorsIn(bits, count, length), length, Vectors::Rows);
    const auto columns = Bfloat16Matrix::create(vectorsIn(bits, count, length), length, Vectors::Columns);
    REQUIRE(rows);
    REQUIRE(columns);
    bool areSame = true;
    for (int v = 0; v < count; ++v)
      for (int i = 0; i < length; ++i) {
        const auto inVector = static_cast<std::size_t>(v) * length + i;
        const float expected = floatFromBfloat16(bits[inVector]);
        areSame &= isSame(rows->values()[inVector], expected) &&
                   isSame(columns->values()[static_cast<std::size_t>(i) * count + v], expected);
      }
    CHECK(areSame);
    CHECK(rows->vectors()[count - 1] == bits.data() + static_cast<std::ptrdiff_t>(count - 1) * length);
  }
}

TEST_CASE("threads that read a widened matrix at once read the same") {
  const int count = 2000, length = 1000;
  const std::vector<Bfloat16> bits = randomBits(count * length, 2);
  for (int round = 0; round < 5; ++round) {
    const auto matrix =
        Bfloat16Matrix::create(vectorsIn(bits, count, length), length, Bfloat16Matrix::Vectors::Rows);
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
  const int count = static_cast<int>(3 * Bfloat16Matrix::widenedBytes / sizeof(float) / length);
  const std::vector<Bfloat16> bits = randomBits(length, 3);
  const auto matrix = Bfloat16Matrix::create(std::vector<const Bfloat16*>(count, bits.data()), length,
                                             Bfloat16Matrix::Vectors::Rows);
  const std::size_t before = heldBytes();
  for (int round = 0; round < 2; ++round) {
    bool areSame = true;
    for (int row = 0; row < count; ++row)
      for (int i = 0; i < length; i += 1024)
        areSame &= isSame(matrix->values()[static_cast<std::ptrdiff_t>(row) * length + i],
                          floatFromBfloat16(bits[static_cast<std::size_t>(i)]));
    CHECK(areSame);
    const std::size_t held = heldBytes() - before;
    CHECK(held > Bfloat16Matrix::widenedBytes * 9 / 10);
    CHECK(held < Bfloat16Matrix::widenedBytes * 11 / 10);
  }
}
#endif
