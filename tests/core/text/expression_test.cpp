#include "core/text/expression.h"

#ifdef __linux__
#include <dlfcn.h>
#endif

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <regex>
#include <string>

#include "tests/sanitized.h"

using namespace glassformer;
using Fit = Expression::Fit;

TEST_CASE("a text is a match, may still become one, or cannot") {
  struct Case {
    const char *pattern, *text;
    Fit fit;
  };
  for (const auto& [pattern, text, fit] :
       {Case{"red|green", "", Fit::SoFar}, Case{"red|green", "gre", Fit::SoFar},
        Case{"red|green", "green", Fit::Whole}, Case{"red|green", "greens", Fit::No},
        Case{"red|green", "xred", Fit::No}, Case{"a|ab", "ab", Fit::Whole}, Case{"a|ab", "a", Fit::Whole},
        Case{"\\d+ apples?", "12", Fit::SoFar}, Case{"\\d+ apples?", "12 apple", Fit::Whole},
        Case{"\\d+ apples?", "12 apples", Fit::Whole}, Case{"(?i)yes", "YE", Fit::SoFar},
        Case{"x*", "", Fit::Whole}, Case{"..", "é", Fit::SoFar}, Case{"..", "éé", Fit::Whole},
        // The beginning of a character: two bytes of three.
        Case{"a.", "a\xE2\x82", Fit::SoFar}, Case{"a", "a\xE2\x82", Fit::No}, Case{"été", "\xC3", Fit::SoFar},
        Case{"red", "\xC3", Fit::No}, Case{"[а-я]+", "я\xD0", Fit::SoFar}, Case{"\\w+", "a\xCE", Fit::SoFar},
        Case{"a.b",
             "a\xFF"
             "b",
             Fit::No}}) {
    INFO(pattern << " of " << text);
    const auto expression = Expression::compile(pattern);
    REQUIRE(expression);
    CHECK(expression->fitOf(text) == fit);
  }
}

// Another implementation says what matches: a text fits so far where some text that begins with it matches.
TEST_CASE("texts fit where the standard library's expressions match one that goes on from them") {
  for (const std::string pattern : {"(ab|c)*d", "a+(b|ca)b?", "[ab]{2,3}c|b", "(a|bc)(a|bc)d?"}) {
    const auto expression = Expression::compile(pattern);
    REQUIRE(expression);
    const std::regex other(pattern);
    std::vector<std::string> texts{""};
    for (std::size_t i = 0; texts[i].size() < 6; ++i)
      for (const char c : {'a', 'b', 'c', 'd'}) texts.push_back(texts[i] + c);
    int whole = 0;
    for (const std::string& text : texts) {
      if (text.size() > 3) break;  // what goes on from them is listed, too, as far as it tells
      const bool matches = std::regex_match(text, other);
      bool goesOn = false;
      for (const std::string& longer : texts)
        goesOn |= longer.size() > text.size() && longer.starts_with(text) && std::regex_match(longer, other);
      INFO(pattern << " of " << text);
      CHECK(expression->fitOf(text) == (matches ? Fit::Whole : goesOn ? Fit::SoFar : Fit::No));
      whole += matches;
    }
    CHECK(whole > 0);
  }
}

TEST_CASE("what is no expression is refused with its place") {
  const auto expression = Expression::compile("red|(green");
  REQUIRE_FALSE(expression);
  CHECK_THAT(expression.error().message(), Catch::Matchers::ContainsSubstring("red|(green"));
  CHECK_THAT(expression.error().message(), Catch::Matchers::ContainsSubstring("at byte 10"));
}

#ifdef __linux__
// Oniguruma exports functions of the same names, whose structures are others.
TEST_CASE("the C library's regular expressions are its own, whoever asks for them") {
  for (const char* name : {"regcomp", "regexec", "regfree", "regerror"}) {
    INFO(name);
    // A sanitizer's own function stands before the library's.
    void* const found = dlsym(isSanitized ? RTLD_NEXT : RTLD_DEFAULT, name);
    REQUIRE(found);
    Dl_info of{};
    REQUIRE(dladdr(found, &of) != 0);
    CHECK(std::string(of.dli_fname).find("libc.so") != std::string::npos);
  }
}
#endif
