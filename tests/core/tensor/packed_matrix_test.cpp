#include "core/tensor/packed_matrix.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

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

std::vector<std::byte> randomBytes(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& each : bytes) each = static_cast<std::byte>(random.below(256));
  return bytes;
}

std::vector<PackedVector> vectorsIn(const std::vector<std::byte>& bytes, int count) {
  std::vector<PackedVector> vectors;
  for (int i = 0; i < count; ++i)
    vectors.push_back(bytes.data() +
                      bytes.size() / static_cast<std::size_t>(count) * static_cast<std::size_t>(i));
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

TEST_CASE("a matrix that is kept packed reads as float32, its vectors being rows or columns") {
  using enum PackedFormat;
  for (const auto& [format, count, length] : {std::tuple(Bfloat16, 1, 1),
                                              {Bfloat16, 3, 5},
                                              {Bfloat16, 700, 1030},
                                              {Half, 1500, 17},
                                              {Half, 17, 150000},
                                              {Blocks, 1, 32},
                                              {Blocks, 3, 64},
                                              {Blocks, 700, 1056},
                                              {Blocks, 17, 160000}}) {
    INFO("format " << static_cast<int>(format) << ", " << count << " of " << length);
    const auto bytes = randomBytes(static_cast<std::size_t>(count) * packedBytes(format, length), 1);
    using Vectors = PackedMatrix::Vectors;
    const auto vectors = vectorsIn(bytes, count);
    const auto rows = PackedMatrix::create(vectors, format, length, Vectors::Rows);
    const auto columns = PackedMatrix::create(vectors, format, length, Vectors::Columns);
    REQUIRE(rows);
    REQUIRE(columns);
    bool areSame = true;
    for (int v = 0; v < count; ++v)
      for (int i = 0; i < length; ++i) {
        const float expected =
            readingOf(format)(vectors[static_cast<std::size_t>(v)], static_cast<std::size_t>(i));
        areSame &= isSame(rows->values()[static_cast<std::size_t>(v) * length + i], expected) &&
                   isSame(columns->values()[static_cast<std::size_t>(i) * count + v], expected);
      }
    CHECK(areSame);
    CHECK(rows->vectors()[count - 1] == vectors.back());
  }
}

TEST_CASE("threads that read a widened matrix at once read the same") {
  const int count = 2000, length = 1000;
  const auto bytes = randomBytes(std::size_t{count} * length * sizeof(SixteenBits), 2);
  for (int round = 0; round < 5; ++round) {
    const auto matrix = PackedMatrix::create(vectorsIn(bytes, count), PackedFormat::Bfloat16, length,
                                             PackedMatrix::Vectors::Rows);
    std::vector<int> wrong(4);
    {
      std::vector<std::jthread> readers;
      for (int& found : wrong)
        readers.emplace_back([&] {
          for (std::size_t i = 0; i < std::size_t{count} * length; ++i)
            found += !isSame(matrix->values()[i], packedNumber<PackedFormat::Bfloat16>(bytes.data(), i));
        });
    }
    CHECK(wrong == std::vector<int>(4));
  }
}

TEST_CASE("of what is widened so much stays and no more, and what went comes again", "[memory]") {
  const int length = 1 << 20;
  const int count = static_cast<int>(3 * PackedMatrix::widenedBytes / sizeof(float) / length);
  const auto bytes = randomBytes(std::size_t{length} * sizeof(SixteenBits), 3);
  const auto matrix = PackedMatrix::create(std::vector<PackedVector>(count, bytes.data()),
                                           PackedFormat::Bfloat16, length, PackedMatrix::Vectors::Rows);
  const std::size_t before = heldBytes();
  for (int round = 0; round < 2; ++round) {
    bool areSame = true;
    for (int row = 0; row < count; ++row)
      for (int i = 0; i < length; i += 1024)
        areSame &= isSame(matrix->values()[static_cast<std::ptrdiff_t>(row) * length + i],
                          packedNumber<PackedFormat::Bfloat16>(bytes.data(), static_cast<std::size_t>(i)));
    CHECK(areSame);
    const std::size_t held = heldBytes() - before;
    CHECK(held > PackedMatrix::widenedBytes * 9 / 10);
    CHECK(held < PackedMatrix::widenedBytes * 11 / 10);
  }
}
#endif
