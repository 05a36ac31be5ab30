// Every step against Hugging Face's own library: pipeline_reference_test.cpp.
#include "core/text/pre_tokenization.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

Result<PreTokenizer> read(const nlohmann::json& steps) {
  return PreTokenizer::read({{"type", "Sequence"}, {"pretokenizers", steps}}, "t.json, pre_tokenizer");
}

nlohmann::json one(const nlohmann::json& step) { return nlohmann::json::array({step}); }

nlohmann::json splitBy(const char* expression) {
  return {{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}};
}

std::vector<std::string> cut(const nlohmann::json& steps, const std::string& text) {
  const auto made = read(steps);
  REQUIRE(made);
  return made->pieces(text);
}

std::string refusal(const nlohmann::json& steps) {
  const auto made = read(steps);
  return made ? "accepted" : made.error().message();
}

}  // namespace

TEST_CASE("expressions cut step by step, and lose nothing") {
  using Pieces = std::vector<std::string>;
  const nlohmann::json bytes{{"type", "ByteLevel"}, {"add_prefix_space", false}};
  CHECK(cut(one(splitBy("\\p{N}")), "ab12c") == Pieces{"ab", "1", "2", "c"});
  CHECK(cut({splitBy("\\p{N}"), bytes}, "a b 12") == Pieces{"a", "Ġb", "Ġ", "1", "2"});
  CHECK(cut(one(splitBy("x*")), "axxb") == Pieces{"a", "xx", "b"});
  CHECK(cut(one(splitBy("\\p{L}+")), "gr\xC3\xB6\xFFner") == Pieces{"gr\xC3\xB6", "\xFF", "ner"});
  CHECK(cut(one(splitBy("(a+)+$")), std::string(40, 'a') + "b").size() >= 1);  // tries no longer than it may
  CHECK(cut(one(splitBy("\\p{N}")), "").empty());
}

TEST_CASE("expressions are Oniguruma's: classes may hold classes, and intersect") {
  CHECK(cut(one(splitBy("[\\p{L}&&[^\\p{Han}]]+")), "ab中文c") ==
        std::vector<std::string>{"ab", "中文", "c"});
  CHECK(cut(one(splitBy("[a[bc]]+")), "xabcx") == std::vector<std::string>{"x", "abc", "x"});
}

TEST_CASE("steps that are not known are refused by name and place") {
  CHECK_THAT(
      refusal(one(splitBy("(unclosed"))),
      ContainsSubstring("t.json, pre_tokenizer.pretokenizers[0].pattern: \"(unclosed\" is not a regular"));
  CHECK_THAT(refusal({{{"type", "Whitespace"}}, {{"type", "Jieba"}}}),
             ContainsSubstring("pretokenizers[1]: has the type \"Jieba\", which is not known here (known are "
                               "ByteLevel, Split, Whitespace,"));
  CHECK_THAT(refusal(one({{"type", "Digits"}, {"romanNumbers", true}})),
             ContainsSubstring("pretokenizers[0].romanNumbers: is true, a field that is not known here"));
  CHECK_THAT(refusal(one({{"type", "Digits"}, {"individual_digits", 3}})),
             ContainsSubstring("individual_digits: is 3, neither true nor false"));
  CHECK_THAT(refusal(one({{"type", "Punctuation"}, {"behavior", "Kept"}})),
             ContainsSubstring("behavior: is \"Kept\""));
  CHECK_THAT(refusal(one({{"type", "Metaspace"}, {"prepend_scheme", "sometimes"}})),
             ContainsSubstring("prepend_scheme: is \"sometimes\""));
  CHECK_THAT(refusal(one(nullptr)), ContainsSubstring("pretokenizers[0]: is null, not a step"));
  CHECK_THAT(refusal(7), ContainsSubstring("pretokenizers: is 7, not a list"));
  CHECK_THAT(refusal(one({{"type", "Split"}, {"pattern", 3}, {"behavior", "Isolated"}})),
             ContainsSubstring("pattern: is 3, not an object"));
}
