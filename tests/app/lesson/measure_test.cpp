#include "app/lesson/measure.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

// The lecture's example, worked out by hand: We wash our cats.
const Snapshot& worked() {
  static const auto snapshot = [] {
    Workspace w = initialWorkspace();
    w.model = "worked", w.text = "We wash our cats";
    return latestFor(w);
  }();
  return *snapshot;
}

double number(const std::string& expression) {
  INFO(expression);
  const auto measured = measure(expression, worked());
  REQUIRE(measured);
  REQUIRE(!measured->isWords);
  return measured->number();
}

std::string whyNotMeasured(const std::string& expression) {
  INFO(expression);
  const auto measured = measure(expression, worked());
  REQUIRE_FALSE(measured);
  return measured.error().message();
}

}  // namespace

TEST_CASE("arithmetic and comparisons are those of school") {
  CHECK(number("1 + 2 * 3") == 7);
  CHECK(number("(1 + 2) * 3") == 9);
  CHECK(number("2 - 3 - 4") == -5);
  CHECK(number("8 / 4 / 2") == 1);
  CHECK(number("-2 * -3") == 6);
  CHECK(number("1.5e1") == 15);
  CHECK(number("2 < 3") == 1);
  CHECK(number("3 <= 2") == 0);
  CHECK(number("1 + 1 == 2") == 1);
  CHECK(number("1 != 1") == 0);
  CHECK(number("sqrt(2) * sqrt(2)") == Approx(2));
  CHECK(number("log(exp(3))") == Approx(3));
  CHECK(number("\"We\" == \"We\"") == 1);
}

TEST_CASE("cells are named by place, from the end, and by token; the numbers are the lecture's") {
  const std::string pattern = "blocks.0.attn.hook_pattern";
  CHECK(number(pattern + "[0, 0, 1]") == Approx(0.4802).margin(5e-5));
  CHECK(number(pattern + "[0, \"We\", \"wash\"]") == number(pattern + "[0, 0, 1]"));
  CHECK(number(pattern + "[0, -4, -1]") == number(pattern + "[0, 0, 3]"));
  CHECK(number("sum " + pattern + "[0, 0, :]") == Approx(1));
  CHECK(number("argmax " + pattern + "[0, 0, :]") == 1);
  CHECK(number("max " + pattern + "[0, 0, :] - min " + pattern + "[0, 0, :]") ==
        Approx(0.4802 - 0.1071).margin(1e-4));
  CHECK(number("mean(blocks.0.attn.hook_attn_scores[0, 0, :])") == Approx((1.625 + 3 + 2.5 + 1.5) / 4));
  CHECK(number("sum(0 * " + pattern + "[0, :, :] + 1)") == 16);
  CHECK(number("max(abs(" + pattern + "[0, 0, :] - " + pattern + "[0, 2, :]))") < 1e-5);
  CHECK(number("tokens") == 4);
}

TEST_CASE("words are what the text and the model say") {
  const auto measured = measure("token(argmax blocks.0.attn.hook_pattern[0, 0, :])", worked());
  REQUIRE(measured);
  CHECK(measured->words == "wash");
  CHECK(measure("token(-1)", worked())->words == "cats");
  // Values are the words themselves: We reads out wash most, and so says it would come next.
  CHECK(number("p(\"We\") + p(\"wash\") + p(\"our\") + p(\"cats\")") <= 1.0001);
  const auto next = measure("next", worked());
  REQUIRE(next);
  CHECK(number("p(\"" + next->words + "\")") >= number("p(\"cats\")"));
}

TEST_CASE("what cannot be measured says why") {
  CHECK_THAT(whyNotMeasured("blocks.7.attn.hook_pattern[0, 0, 0]"), ContainsSubstring("there is no"));
  CHECK_THAT(whyNotMeasured("blocks.0.attn.hook_pattern[0, 0, 9]"),
             ContainsSubstring("has 4 along its dimension 2"));
  CHECK_THAT(whyNotMeasured("blocks.0.attn.hook_pattern[0, 0, -5]"), ContainsSubstring("has 4 along"));
  CHECK_THAT(whyNotMeasured("blocks.0.attn.hook_pattern[0, 0, \"dogs\"]"), ContainsSubstring("dogs"));
  CHECK_THAT(whyNotMeasured("blocks.0.attn.hook_pattern[0, 0]"), ContainsSubstring("missing"));
  CHECK_THAT(whyNotMeasured("1 +"), ContainsSubstring("missing at its end"));
  CHECK_THAT(whyNotMeasured("1 2"), ContainsSubstring("the measure should end"));
  CHECK_THAT(whyNotMeasured("(1"), ContainsSubstring(") is missing"));
  CHECK_THAT(whyNotMeasured("\"We"), ContainsSubstring("\" is missing"));
  CHECK_THAT(whyNotMeasured("next + 1"), ContainsSubstring("words are not numbers"));
  CHECK_THAT(whyNotMeasured("next == 1"), ContainsSubstring("cannot be compared"));
  CHECK_THAT(whyNotMeasured("token(4)"), ContainsSubstring("no token 4"));
  CHECK_THAT(whyNotMeasured("p(\"unheard\")"), ContainsSubstring("unheard"));
  CHECK_THAT(whyNotMeasured("other.tokens"), ContainsSubstring("no comparison is open"));
  CHECK_THAT(whyNotMeasured(std::string(5000, '(')), ContainsSubstring("nested"));
  CHECK_THAT(whyNotMeasured(std::string(5000, '-') + "1"), ContainsSubstring("nested"));
  CHECK_FALSE(measure("", worked()));
  CHECK_FALSE(measure("tokens", Snapshot{})->number() != 0);
}

TEST_CASE("the text that is compared is measured by other.") {
  Workspace w = initialWorkspace();
  w.model = "worked", w.text = "We wash our cats", w.aside = {"We cats"};
  w.comparison.with = OtherText{1};
  const auto snapshot = latestFor(w);
  CHECK(measure("tokens - other.tokens", *snapshot)->number() == 2);
}
