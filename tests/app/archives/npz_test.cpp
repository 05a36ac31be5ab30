#include "app/archives/npz.h"

#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "app/archives/archive.h"
#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

// As numpy.save writes an array, version 1.0.
std::string npyOf(const std::string& type, const std::string& shape, const std::string& values,
                  bool byColumns = false) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (byColumns ? "True" : "False") +
                       ", 'shape': " + shape + ", }";
  header += std::string(63 - (header.size() + 10) % 64, ' ') + "\n";
  const auto length = static_cast<char>(header.size());
  return std::string("\x93NUMPY\x01\0", 8) + length + '\0' + header + values;
}

template <typename Number>
std::string bytesOfNumbers(std::initializer_list<Number> numbers, bool bigEndian = false) {
  std::string bytes;
  for (const Number number : numbers) {
    std::string one(sizeof number, '\0');
    std::memcpy(one.data(), &number, sizeof number);
    bytes += bigEndian ? std::string(one.rbegin(), one.rend()) : one;
  }
  return bytes;
}

StoredTensors opened(const std::string& name, const std::string& array) {
  const TemporaryFolder folder;
  REQUIRE(writeArchive(folder / "a.npz", {{.name = name + ".npy", .text = array}}));
  auto stored = openNpz(folder / "a.npz");
  if (!stored) FAIL(stored.error().message());
  return *std::move(stored);
}

std::string tokensIn(const std::string& type, const std::string& values) {
  return opened("tokens", npyOf(type, "(2,)", values)).metadata().at("tokens");
}

}  // namespace

TEST_CASE("tokens may be whole numbers of any size and order") {
  CHECK(tokensIn("<i8", bytesOfNumbers<std::int64_t>({7, 200})) == "7,200");
  CHECK(tokensIn(">i8", bytesOfNumbers<std::int64_t>({7, 200}, true)) == "7,200");
  CHECK(tokensIn(">i4", bytesOfNumbers<std::int32_t>({7, 70000}, true)) == "7,70000");
  CHECK(tokensIn("<u2", bytesOfNumbers<std::uint16_t>({7, 60000})) == "7,60000");
  CHECK(tokensIn("<u4", bytesOfNumbers<std::uint32_t>({7, 70000})) == "7,70000");
  CHECK(tokensIn("|u1", bytesOfNumbers<std::uint8_t>({7, 200})) == "7,200");
  CHECK(tokensIn("|i1", bytesOfNumbers<std::int8_t>({7, 100})) == "7,100");
}

TEST_CASE("arrays may lie column by column, and have the highest byte first") {
  const std::vector<float> rows{1, 2, 3, 4, 5, 6};  // [2, 3]
  const auto columns = opened("x", npyOf("<f4", "(2, 3)", bytesOfNumbers<float>({1, 4, 2, 5, 3, 6}), true));
  REQUIRE(columns.find("x"));
  CHECK(*columns.find("x")->converted() == rows);
  const auto big = opened("x", npyOf(">f4", "(2, 3)", bytesOfNumbers<float>({1, 2, 3, 4, 5, 6}, true)));
  CHECK(*big.find("x")->converted() == rows);
  const auto doubles = opened("x", npyOf(">f8", "(2, 3)", bytesOfNumbers<double>({1, 2, 3, 4, 5, 6}, true)));
  CHECK(*doubles.find("x")->converted() == rows);
}

TEST_CASE("texts may be strings of bytes or of characters, in either order") {
  const std::string expected = R"(["ab","c"])";
  CHECK(opened("texts", npyOf("|S2", "(2,)", std::string("abc\0", 4))).metadata().at("texts") == expected);
  const std::initializer_list<std::uint32_t> characters{'a', 'b', 'c', 0};
  CHECK(opened("texts", npyOf("<U2", "(2,)", bytesOfNumbers(characters))).metadata().at("texts") == expected);
  CHECK(opened("texts", npyOf(">U2", "(2,)", bytesOfNumbers(characters, true))).metadata().at("texts") ==
        expected);
}
