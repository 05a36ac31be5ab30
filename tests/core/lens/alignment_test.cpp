#include "core/lens/alignment.h"

#include <catch2/catch_test_macros.hpp>

#include "core/random.h"

using namespace glassformer;
using Column = Alignment::Column;

namespace {
std::vector<Column> columns(std::vector<int> a, std::vector<int> b) { return align(a, b).columns; }
}  // namespace

TEST_CASE("a replaced token stands beside the one it replaces") {
  CHECK(columns({1, 2, 3}, {1, 9, 3}) == std::vector<Column>{{0, 0}, {1, 1}, {2, 2}});
  CHECK(columns({1, 2, 3}, {1, 8, 9, 3}) == std::vector<Column>{{0, 0}, {1, 1}, {-1, 2}, {2, 3}});
}

TEST_CASE("what only one text has stands alone") {
  CHECK(columns({1, 2, 3}, {1, 3}) == std::vector<Column>{{0, 0}, {1, -1}, {2, 1}});
  CHECK(columns({1, 3}, {1, 2, 3}) == std::vector<Column>{{0, 0}, {-1, 1}, {1, 2}});
  CHECK(columns({}, {4, 5}) == std::vector<Column>{{-1, 0}, {-1, 1}});
  CHECK(columns({}, {}).empty());
}

TEST_CASE("positions and columns find each other") {
  const std::vector<int> a{1, 2, 3}, b{1, 3};
  const Alignment alignment = align(a, b);
  CHECK(alignment.columnOfA(2) == 2);
  CHECK(alignment.columnOfB(1) == 2);
  CHECK(alignment.columnOfB(2) == -1);
  CHECK(alignment.columnOfA(-1) == -1);
}

TEST_CASE("every position of both texts has exactly one column, in order") {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> a(random.below(12)), b(random.below(12));
    for (int& token : a) token = static_cast<int>(random.below(4));
    for (int& token : b) token = static_cast<int>(random.below(4));
    int nextA = 0, nextB = 0;
    for (const Column& column : align(a, b).columns) {
      CHECK((column.a >= 0 || column.b >= 0));
      if (column.a >= 0) CHECK(column.a == nextA++);
      if (column.b >= 0) CHECK(column.b == nextB++);
    }
    CHECK(nextA == static_cast<int>(a.size()));
    CHECK(nextB == static_cast<int>(b.size()));
  }
}
