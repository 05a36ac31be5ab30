#include "core/text/composed_text.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("a text is composed, and knows where its bytes come from") {
  const std::string decomposed = "ae\xCC\x81z";  // e and an accent
  const ComposedText text(decomposed);
  CHECK(text.text() == "a\xC3\xA9z");
  CHECK(text.originOf(0) == 0);
  CHECK(text.originOf(1) == 1);
  CHECK(text.originOf(2) == 4);  // within what was changed
  CHECK(text.originOf(3) == 4);
  CHECK(text.originOf(4) == 5);
}

TEST_CASE("what is composed, or no text at all, stays as it is") {
  for (const std::string same : {"", "plain", "gr\xC3\xB6\xC3\x9F", "\xFF\xFE", "a\xCC"}) {
    const ComposedText text(same);
    CHECK(text.text() == same);
    for (std::size_t i = 0; i <= same.size(); ++i) CHECK(text.originOf(i) == i);
  }
}
