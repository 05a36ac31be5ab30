#include "app/document/decoding_numbers.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <set>

#include "app/document/json_fields.h"
#include "app/document/workspace_json.h"

using namespace glassformer;

namespace {

Decoding readFrom(const char* field, const Json& value) {
  Workspace workspace = initialWorkspace();
  REQUIRE(readFields(workspace, Json{{"decoding", {{field, value}}}}.dump()));
  return workspace.decoding;
}

}  // namespace

TEST_CASE(
    "every number of decoding begins inside its limits, and the command line takes what the window has") {
  std::set<std::string_view> fields, options;
  for (const DecodingNumber& number : decodingNumbers()) {
    INFO(number.field);
    CHECK(number.of({}) >= number.offered.low);
    CHECK(number.of({}) <= number.offered.high);
    CHECK_FALSE(number.meaning.empty());
    CHECK(fields.insert(number.field).second);
    CHECK(options.insert(number.option).second);
    if (std::holds_alternative<std::uint64_t Decoding::*>(number.member)) continue;
    CHECK(number.taken[0] <= number.offered.low);
    CHECK(number.taken[1] >= number.offered.high);
  }
}

TEST_CASE("a session keeps every number of decoding, within its limits") {
  for (const DecodingNumber& number : decodingNumbers()) {
    INFO(number.field);
    Workspace workspace = initialWorkspace();
    for (const float value : {number.offered.low, number.offered.high}) {
      number.set(workspace.decoding, value);
      CHECK(number.of(workspace.decoding) == value);
      Workspace again = initialWorkspace();
      REQUIRE(readFields(again, toJson(workspace)));
      CHECK(again.decoding == workspace.decoding);
    }
    if (std::holds_alternative<std::uint64_t Decoding::*>(number.member)) continue;
    CHECK(number.of(readFrom(number.field, number.offered.high + 7)) == number.offered.high);
    CHECK(number.of(readFrom(number.field, number.offered.low - 7)) == number.offered.low);
  }
}

TEST_CASE("seeds are as large as they are, in sessions too") {
  const std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
  CHECK(readFrom("seed", greatest).seed == greatest);
}
