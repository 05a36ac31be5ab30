#include "core/text/pre_tokenizer.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace glassformer;

namespace {
std::string cut(std::string_view text) {
  std::string joined;
  for (std::string_view piece : splitIntoPieces(text))
    joined += (joined.empty() ? "" : "|") + std::string(piece);
  return joined;
}
}  // namespace

TEST_CASE("text is cut as GPT-2 cuts it") {
  CHECK(cut("The animal didn't cross.") == "The| animal| didn|'t| cross|.");
  CHECK(cut("we're they'll I'd 'twas 's") == "we|'re| they|'ll| I|'d| '|twas| '|s");
  CHECK(cut("IT'S") == "IT|'|S");
  CHECK(cut("in 2017, 3x") == "in| 2017|,| 3|x");
  CHECK(cut("a  b") == "a| | b");
  CHECK(cut("a   b") == "a|  | b");
  CHECK(cut("a\nb") == "a|\n|b");
  CHECK(cut("a\n\n b") == "a|\n\n| b");
  CHECK(cut("a \n") == "a| \n");
  CHECK(cut("  ") == "  ");
  CHECK(cut(" ") == " ");
  CHECK(cut("a ") == "a| ");
  CHECK(cut("größer √∞ ½²") == "größer| √∞| ½²");
  CHECK(cut("שלום 中文!?") == "שלום| 中文|!?");
  CHECK(cut("a\u00A0b") == "a|\u00A0|b");
  CHECK(cut("\xE2\x82 a") == "\xE2\x82| a");
  CHECK(cut("") == "");
}

// What \p{L} and \p{N} of Unicode 17 say; utf8proc may be older.
TEST_CASE("letters and numbers that Unicode has had for a few years only are letters and numbers") {
  CHECK(cut("\U000105C0's") == "\U000105C0|'s");                    // Todhri, 16.0
  CHECK(cut("a\uA7DB're") == "a\uA7DB|'re");                        // Latin, 16.0
  CHECK(cut("\U0002EBF0\U000323B0!") == "\U0002EBF0\U000323B0|!");  // CJK, 15.1 and 17.0
  CHECK(cut("x\U0001CCF02") == "x|\U0001CCF02");                    // outlined digit, 16.0
  CHECK(cut("a\U000105F4's") == "a|\U000105F4'|s");                 // still nothing
}
