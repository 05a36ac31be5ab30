#include "core/lens/difference.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

using namespace glassformer;

TEST_CASE("differences are taken token by token, and are missing where one text has no token") {
  constexpr float hidden = -std::numeric_limits<float>::infinity();
  TensorSet a, b, difference;
  a.add({"scores", "TS", "", ""}, Tensor({2, 2}, {5, hidden, 1, 2}));
  b.add({"scores", "TS", "", ""}, Tensor({3, 3}, {3, hidden, hidden, 7, 7, hidden, 4, 9, 0}));
  a.add({"norm", "T", "", ""}, Tensor({2}, {10, 20}));
  b.add({"norm", "T", "", ""}, Tensor({3}, {1, 2, 3}));
  a.add({"only here", "T", "", ""}, Tensor({2}));
  a.add({"of another width", "TD", "", ""}, Tensor({2, 4}));
  b.add({"of another width", "TD", "", ""}, Tensor({3, 5}));
  // 1 3 and 1 2 3
  measureDifference(a, b, {Alignment{{{0, 0}, {-1, 1}, {1, 2}}}, {}}, difference);
  REQUIRE(difference.count() == 2);
  const TensorView scores = difference["scores"];
  CHECK(scores.extent[0] == 3);
  CHECK(scores.extent[1] == 3);
  CHECK(scores(0, 0) == 2);       // 5 − 3
  CHECK(scores(0, 2) == hidden);  // masked in both
  CHECK(scores(2, 0) == -3);      // 1 − 4
  CHECK(scores(2, 2) == 2);       // 2 − 0
  CHECK(std::isnan(scores(1, 0)));
  CHECK(std::isnan(scores(2, 1)));
  const TensorView norm = difference["norm"];
  CHECK(norm(0) == 9);
  CHECK(std::isnan(norm(1)));
  CHECK(norm(2) == 17);
}
