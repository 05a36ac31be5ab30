#include "app/lesson/equation.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/app/views/view_cases.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

const PlainMetrics metrics;

SetEquation equationOf(const std::string& tex, float size = 16) {
  INFO(tex);
  const auto equation = setEquation(tex, metrics, size, {});
  REQUIRE(equation);
  return *equation;
}

// Its texts from left to right.
std::string readOut(const std::string& tex) {
  std::string words;
  for (const Text& text : equationOf(tex).texts) words += text.text;
  return words;
}

std::string whyNotSet(const std::string& tex) {
  INFO(tex);
  const auto equation = setEquation(tex, metrics, 16, {});
  REQUIRE_FALSE(equation);
  return equation.error().message();
}

}  // namespace

TEST_CASE("an equation is set as it is read") {
  CHECK(readOut("A = \\mathrm{softmax}(q \\cdot k^\\top / \\sqrt{K}) v") == "A=softmax(q·k⊤/√K)v");
  CHECK(readOut("x \\leftarrow x + f(x)") == "x←x+f(x)");
  CHECK(readOut("\\gamma \\odot \\frac{x - \\mu}{\\sigma} + \\beta") == "γ⊙x−μσ+β");
  CHECK(readOut("\\mathbb{R}^{T \\times D}") == "ℝT×D");
  CHECK(readOut("\\left( a \\right)") == "(a)");
}

TEST_CASE("scripts stand above and below, smaller; a fraction has a rule between its halves") {
  const SetEquation power = equationOf("x^2_i");
  REQUIRE(power.texts.size() == 3);
  CHECK(power.texts[1].at.y < 0);
  CHECK(power.texts[2].at.y > 0);
  CHECK(power.texts[1].style.size < power.texts[0].style.size);
  CHECK(power.texts[1].at.x == Approx(power.texts[2].at.x));
  const SetEquation half = equationOf("\\frac{1}{2}");
  REQUIRE(half.rules.size() == 1);
  CHECK(half.texts[0].at.y < half.rules[0].box.y);
  CHECK(half.texts[1].at.y > half.rules[0].box.y);
  CHECK(half.above > equationOf("1").above);
}

TEST_CASE("operations keep their distance, signs do not") {
  const float parts = equationOf("a").width + equationOf("b").width + equationOf("+").width;
  CHECK(equationOf("a + b").width > parts + 2);
  CHECK(equationOf("-b").width == Approx(equationOf("-").width + equationOf("b").width));
  CHECK(equationOf("a = -b").width < equationOf("a = c - b").width);
}

TEST_CASE("it grows with its size, and stays within what it says") {
  for (const char* tex :
       {"a", "x^{y^z}", "\\frac{\\frac{a}{b}}{c}", "\\sqrt{\\frac{1}{2}}", "\\sum_s A_{ts} v_s"}) {
    INFO(tex);
    const SetEquation small = equationOf(tex), large = equationOf(tex, 32);
    CHECK(large.width == Approx(2 * small.width));
    CHECK(large.above > small.above);
    for (const Text& text : small.texts) {
      CHECK(text.at.x >= -0.01f);
      CHECK(text.at.x + metrics.width(text.text, text.style.face, text.style.size) <= small.width + 0.5f);
      CHECK(-text.at.y <= small.above);
      CHECK(text.at.y <= small.below);
    }
  }
}

TEST_CASE("what is not known is named, and never stands raw") {
  CHECK_THAT(whyNotSet("\\begin{matrix}"), ContainsSubstring("\\begin"));
  CHECK_THAT(whyNotSet("\\frac{1"), ContainsSubstring("missing"));
  CHECK_THAT(whyNotSet("a}"), ContainsSubstring("too many"));
  CHECK_THAT(whyNotSet("x^"), ContainsSubstring("missing"));
  CHECK_THAT(whyNotSet("^2"), ContainsSubstring("a symbol is missing before"));
  CHECK_THAT(whyNotSet("x^1^2"), ContainsSubstring("two scripts"));
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += "{";
  CHECK_THAT(whyNotSet(deep), ContainsSubstring("deeply"));
  for (int i = 0; i < 10000; ++i) deep += "\\sqrt";
  CHECK_FALSE(whyNotSet(deep).empty());
}
