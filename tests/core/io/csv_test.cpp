#include "core/io/csv.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <limits>

using namespace glassformer;

TEST_CASE("fields are quoted where RFC 4180 asks for it") {
  CHECK(csvField("plain") == "plain");
  CHECK(csvField("") == "");
  CHECK(csvField(" space ") == " space ");
  CHECK(csvField("a,b") == "\"a,b\"");
  CHECK(csvField("say \"it\"") == "\"say \"\"it\"\"\"");
  CHECK(csvField("two\nlines") == "\"two\nlines\"");
  CHECK(csvRecord({"a", ",", "größer"}) == "a,\",\",größer\r\n");
  CHECK(csvRecord({}) == "\r\n");
}

TEST_CASE("numbers read back as the same float") {
  for (const float value : {0.0f, 0.1f, -1.0f / 3, 1e-30f, 3.4e38f, 16777217.0f, 1e-45f})
    CHECK(std::strtof(csvNumber(value).c_str(), nullptr) == value);
  CHECK(csvNumber(0.1f) == "0.1");
  CHECK(csvNumber(std::numeric_limits<float>::infinity()) == "inf");
  CHECK(csvNumber(-std::numeric_limits<float>::infinity()) == "-inf");
  CHECK(csvNumber(std::numeric_limits<float>::quiet_NaN()) == "nan");
  CHECK(csvNumber(-std::numeric_limits<float>::quiet_NaN()) == "nan");
}
