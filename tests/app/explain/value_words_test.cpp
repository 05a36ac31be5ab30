#include "app/explain/value_words.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/engine/rule_numbers.h"
#include "app/scene/format.h"

using namespace glassformer;

TEST_CASE("of what no text has said anything yet is said that it is being read, until all are read") {
  for (const auto& [read, agreement, recovered] :
       {std::tuple{2.0f, "still being read", "—"}, std::tuple{5.0f, "has no effect here", "—"}}) {
    const auto set = std::make_shared<TensorSet>();
    set->add({bench::read, "2", "", ""}, Tensor({2}, {read, 5}));
    set->add({bench::agreement, "YZ", "", ""}, Tensor({1, 2}, {0.5f, NAN}));
    const TensorSources sources{set};
    CHECK(valueWords(sources, bench::agreement, NAN) == agreement);
    CHECK(valueWords(sources, bench::named, NAN) == agreement);
    CHECK(valueWords(sources, bench::recovered, NAN) == recovered);
    CHECK(valueWords(sources, bench::agreement, 0.5f) == formatted(0.5f));
    CHECK(valueWords(sources, "biography.agreement", NAN) == "has no effect here");
    CHECK(valueWords(sources, "logits", NAN) == "NaN");
  }
  CHECK(valueWords({}, bench::agreement, NAN) == "has no effect here");
}

TEST_CASE("what is counted has all of its digits, what is measured those of any number") {
  CHECK(formattedValue("cost.parts", 524288) == "524288");
  CHECK(formattedValue("cost.size_T", 64) == "64");
  CHECK(formattedValue("cost.parts", 3e9f) == formatted(3e9f));
  CHECK(formattedValue("cost.seconds", 0.25f) == formatted(0.25f));
  CHECK(formattedValue("logits", 64) == formatted(64));
}
