#include "core/text/aligned_text.h"

#include <catch2/catch_test_macros.hpp>

#include "core/text/normalizer_steps.h"

using namespace glassformer;

namespace {

AlignedText composed(const std::string& text) {
  AlignedText aligned(text);
  normalForm(UTF8PROC_COMPOSE)(aligned);
  return aligned;
}

}  // namespace

TEST_CASE("a rewritten text knows where its bytes come from") {
  AlignedText text("abcd");
  Rewriting rewriting(text);
  rewriting.keep(1);
  rewriting.replace(3, "xyz");
  rewriting.insert("!");
  rewriting.replace(4, "");
  text = std::move(rewriting).done();
  CHECK(text.text() == "axyz!");
  CHECK(text.endOf(0) == 0);
  CHECK(text.endOf(1) == 1);
  CHECK(text.endOf(2) == 3);  // within what was rewritten
  CHECK(text.endOf(4) == 3);
  CHECK(text.endOf(5) == 4);  // what was removed belongs to the character before it
  CHECK(text.part(3, 5).endOf(1) == 3);
}

TEST_CASE("a text is composed, and knows where its bytes come from") {
  const AlignedText text = composed("ae\xCC\x81z");  // e and an accent
  CHECK(text.text() == "a\xC3\xA9z");
  CHECK(text.endOf(0) == 0);
  CHECK(text.endOf(1) == 1);
  CHECK(text.endOf(2) == 4);  // within what was changed
  CHECK(text.endOf(3) == 4);
  CHECK(text.endOf(4) == 5);
}

TEST_CASE("what is composed, or no text at all, stays as it is") {
  for (const std::string same : {"", "plain", "gr\xC3\xB6\xC3\x9F", "\xFF\xFE", "a\xCC"}) {
    const AlignedText text = composed(same);
    CHECK(text.text() == same);
    for (std::size_t i = 0; i <= same.size(); ++i) CHECK(text.endOf(i) == i);
  }
}
