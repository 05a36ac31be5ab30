#include "app/explain/value_words.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/engine/hypothesis_numbers.h"
#include "app/scene/format.h"

using namespace glassformer;

TEST_CASE("of what no text has said anything yet is said that it is being read, until all are read") {
  for (const auto& [read, agreement, recovered] :
       {std::tuple{2.0f, "still being read", "—"}, std::tuple{5.0f, "says nothing here", "—"}}) {
    const auto set = std::make_shared<TensorSet>();
    set->add({bench::read, "2", "", ""}, Tensor({2}, {read, 5}));
    set->add({bench::agreement, "YZ", "", ""}, Tensor({1, 2}, {0.5f, NAN}));
    const TensorSources sources{set};
    CHECK(valueWords(sources, bench::agreement, NAN) == agreement);
    CHECK(valueWords(sources, bench::named, NAN) == agreement);
    CHECK(valueWords(sources, bench::recovered, NAN) == recovered);
    CHECK(valueWords(sources, bench::agreement, 0.5f) == formatted(0.5f));
    CHECK(valueWords(sources, "biography.agreement", NAN) == "says nothing here");
    CHECK(valueWords(sources, "logits", NAN) == "NaN");
  }
  CHECK(valueWords({}, bench::agreement, NAN) == "says nothing here");
}
