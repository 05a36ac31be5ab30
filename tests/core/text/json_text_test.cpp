#include "core/text/json_text.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

std::string jsonRefusal(const std::string& text, const std::string& name = "a.json") {
  const auto plain = parseJson(text, name);
  const auto ordered = parseOrderedJson(text, name);
  if (plain) return ordered ? "accepted" : "ordered alone: " + ordered.error().message();
  CHECK(plain.error().message() == ordered.error().message());
  return plain.error().message();
}

}  // namespace

TEST_CASE("JSON is read as deep as our formats go, and refused where it goes deeper") {
  CHECK(jsonRefusal(nested(64)) == "accepted");
  CHECK_THAT(jsonRefusal("\n\n" + nested(65)),
             ContainsSubstring("a.json, line 3: nested deeper than 64 levels"));
  CHECK_THAT(jsonRefusal(nested(80000)), ContainsSubstring("nested deeper"));
  CHECK_THAT(jsonRefusal(std::string(80000, '{')), ContainsSubstring("nested deeper"));
  CHECK(jsonRefusal("{\"a\": \"" + std::string(1000, '[') + "\\\"{\"}") == "accepted");
}

TEST_CASE("damaged JSON is refused in our own words, with the line") {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "\"\xFF\"", "nul", "]]]]", "1e999", "{}{}"}) {
    INFO(text);
    const std::string message = jsonRefusal(text);
    CHECK_THAT(message, ContainsSubstring("a.json"));
    CHECK_THAT(message, !ContainsSubstring("json.exception"));
    CHECK_THAT(message, !ContainsSubstring("accepted"));
  }
  CHECK_THAT(jsonRefusal("{\n\n1}", ""), ContainsSubstring("line 3: not valid JSON near byte 4"));
}

TEST_CASE("a number as Python writes it, which JSON has not, is named with its line") {
  CHECK_THAT(jsonRefusal("{\"a\": 1,\n\"b\": Infinity}"),
             ContainsSubstring("a.json, line 2: Infinity is not a JSON number"));
  CHECK_THAT(jsonRefusal("{\"a\": -Infinity}"), ContainsSubstring("line 1: Infinity is not a JSON number"));
  CHECK_THAT(jsonRefusal("[1, NaN]"), ContainsSubstring("NaN is not a JSON number"));
}

TEST_CASE("JSON longer than any of our files is refused before it is parsed") {
  CHECK_THAT(jsonRefusal(std::string(100'000'001, ' ')),
             ContainsSubstring("has 100000001 bytes of JSON, at most 100000000 are read"));
}

TEST_CASE("objects whose members are looked up one by one may not have thousands of them") {
  std::string members;
  for (int i = 0; i < 5000; ++i) members += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
  CHECK_THAT(jsonRefusal("{" + members + "}"),
             ContainsSubstring("ordered alone") && ContainsSubstring("more than 4096 members"));
}
