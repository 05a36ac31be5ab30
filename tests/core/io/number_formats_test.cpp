// Numbers of few bits, against a second implementation: tests/reference/make_block_reference.py.
#include "core/io/number_formats.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <limits>

#include "core/io/gguf.h"
#include "tests/core/io/formats/format_fixture.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

float halfAsFloat(std::uint16_t bits) {
  float number = 0;
  findNumberFormat("F16")->widen(reinterpret_cast<const std::byte*>(&bits), 1, &number);
  return number;
}

}  // namespace

TEST_CASE("numbers in blocks are what a second implementation widens them to, to the bit", "[accuracy]") {
  const auto file = openGguf(formats.parent_path() / "blocks.gguf");
  if (!file) FAIL(file.error().message());
  int compared = 0;
  for (const NumberFormat& format : numberFormats()) {
    const std::string name(format.name);
    INFO(name);
    const StoredTensor *blocks = file->tensors.find(name), *wide = file->tensors.find(name + " as F32");
    if (!blocks || !wide) continue;
    CHECK(blocks->type == name);
    CHECK(blocks->isFloat());
    CHECK(blocks->valueCount() == 1024);
    const std::vector<float> numbers = *blocks->converted();
    CHECK(numbers == *wide->converted());
    // Not all alike, and neither all of one sign nor huge.
    const auto [least, most] = std::ranges::minmax(numbers);
    CHECK((least < 0 && most > 0 && most - least < 10));
    ++compared;
  }
  CHECK(compared == 9);
  CHECK(numberFormats().size() == 13);
  CHECK_FALSE(findNumberFormat("IQ4_NL"));
}

// Bit patterns worked out from IEEE 754-2008, binary16.
TEST_CASE("half-precision numbers become the floats they stand for") {
  CHECK(halfAsFloat(0x3555) == 0.333251953125f);
  CHECK(std::signbit(halfAsFloat(0x8000)));
  CHECK(halfAsFloat(0xFC00) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(halfAsFloat(0x7E00)));
  for (int bits = 0; bits < 0x10000; ++bits) {
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent == 31) continue;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (static_cast<double>(halfAsFloat(static_cast<std::uint16_t>(bits))) !=
        (bits & 0x8000 ? -magnitude : magnitude))
      FAIL("bits " << bits);
  }
}

TEST_CASE("a bfloat16 is the upper half of the float32 that it stands for") {
  const std::uint16_t bits[] = {0x3F80, 0xC040, 0x4049, 0x7F80};
  float numbers[4];
  findNumberFormat("BF16")->widen(reinterpret_cast<const std::byte*>(bits), 4, numbers);
  CHECK(std::vector(numbers, numbers + 4) ==
        std::vector{1.0f, -3.0f, 3.140625f, std::numeric_limits<float>::infinity()});
}

TEST_CASE("a number of Q8_0 is its whole one times what all of its block are multiplied by, exactly") {
  std::vector<std::byte> blocks(2 * 34);
  const auto factors = {std::pair{0u, 0x3555u}, {1u, 0x8001u}};  // 0.333251953125 and −2⁻²⁴
  for (const auto& [b, bits] : factors) {
    blocks[b * 34] = std::byte(bits & 0xFF);
    blocks[b * 34 + 1] = std::byte(bits >> 8);
    for (unsigned i = 0; i < 32; ++i) blocks[b * 34 + 2 + i] = std::byte(i == 0 ? 0x80 : i == 1 ? 0x7F : i);
  }
  std::vector<float> numbers(64);
  findNumberFormat("Q8_0")->widen(blocks.data(), 2, numbers.data());
  CHECK(static_cast<double>(numbers[0]) == -128 * 0.333251953125);
  CHECK(static_cast<double>(numbers[1]) == 127 * 0.333251953125);
  CHECK(static_cast<double>(numbers[31]) == 31 * 0.333251953125);
  CHECK(numbers[32] == std::ldexp(1.0f, -17));
  CHECK(numbers[35] == -3 * std::ldexp(1.0f, -24));
}

TEST_CASE("a GGUF file in parts is one model, whichever part is opened", "[accuracy]") {
  const fs::path folder = formats / "qwen2_blocks";
  const auto whole = readModelDirectory(folder);
  if (!whole) FAIL(whole.error().message());
  CHECK(isModelDirectory(folder));
  for (const char* part : {"1", "2", "3"}) {
    const fs::path file = folder / ("qwen2_blocks-0000" + std::string(part) + "-of-00003.gguf");
    INFO(file.string());
    CHECK(isModelDirectory(file));
    const auto one = readModelDirectory(file);
    if (!one) FAIL(one.error().message());
    CHECK(one->name == "qwen2_blocks");
    CHECK(one->config == whole->config);
    for (int i = 0; i < one->parameters.count(); ++i)
      CHECK(one->parameters.view(i).copy() == whole->parameters.view(i).copy());
  }
  Copied lost("qwen2_blocks");
  fs::remove(lost.path() / "qwen2_blocks-00002-of-00003.gguf");
  CHECK_THAT(lost.refusal(),
             ContainsSubstring("qwen2_blocks-00002-of-00003.gguf: is missing (the model is in "
                               "3 files; get all of them)"));
  fs::copy(lost.path() / "qwen2_blocks-00001-of-00003.gguf",
           lost.path() / "qwen2_blocks-00002-of-00003.gguf");
  CHECK_THAT(lost.refusal(), ContainsSubstring("is in another part, too"));
  // A name that only looks like one is whole by itself.
  CHECK(nameOfGguf("a/b-00001-of-00000.gguf") == "b-00001-of-00000");
  CHECK(nameOfGguf("a/b-00002-of-00003.gguf") == "b");
  CHECK_FALSE(isLaterPart("a/b-00002-of-00003.gguf"));  // nothing is there
}
