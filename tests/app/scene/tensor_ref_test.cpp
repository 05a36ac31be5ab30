#include "app/scene/tensor_ref.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

using namespace glassformer;

namespace {
TensorSources twoHeads() {
  auto set = std::make_shared<TensorSet>();
  std::vector<float> values;
  for (int i = 0; i < 2 * 3 * 4; ++i) values.push_back(static_cast<float>(i));
  set->add({"pattern", "HTS", "", ""}, Tensor({2, 3, 4}, values));
  set->add({"masked", "T", "", ""}, Tensor({3}, {1, -std::numeric_limits<float>::infinity(), 5}));
  return {set};
}
}  // namespace

TEST_CASE("a reference spans the plane its dimensions name") {
  const TensorSources sources = twoHeads();
  const TensorRef head{"pattern", {1, 0, 0}, 1, 2, -1, -1};
  const auto cells = plane(sources, head);
  REQUIRE(cells);
  CHECK(cells->extent[0] == 3);
  CHECK(cells->extent[1] == 4);
  CHECK((*cells)(2, 3) == 23);
  CHECK(valueOf(sources, head.cell(2, 3)) == 23.0f);
  const TensorRef column{"pattern", {0, 1, 2}, 0, -1, -1, -1};  // one cell, over heads
  CHECK((*plane(sources, column))(1, 0) == 18);
}

TEST_CASE("a reference beyond its tensor is empty, not a crash") {
  const TensorSources sources = twoHeads();
  CHECK_FALSE(plane(sources, {"pattern", {2, 0, 0}, 1, 2, -1, -1}));
  CHECK_FALSE(plane(sources, {"pattern", {0, 0, -1}, 1, 2, -1, -1}));
  CHECK_FALSE(valueOf(sources, {"nothing", {}, -1, -1, -1, -1}));
  CHECK_FALSE(plane(sources, {"masked", {}, 1, -1, -1, -1}));
}

TEST_CASE("the range of values leaves out what the mask removed") {
  const Range range = rangeOf(twoHeads(), {"masked", {}, -1, 0, -1, -1});
  CHECK(range == Range{1, 5});
}
