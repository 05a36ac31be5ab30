#include "core/trace/tensor_set.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

TEST_CASE("a tensor set finds its tensors by name and in order") {
  TensorSet set;
  set.add({"a", "TD", "first", ""}, Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));
  set.add({"b", "T", "second", ""}, Tensor({2}, {7, 8}));
  CHECK(set.count() == 2);
  CHECK(set.find("b") == 1);
  CHECK(set.find("c") == -1);
  CHECK(set["a"](1, 2) == 6);
  CHECK(set["a"][1](0) == 4);
  CHECK(set.point(1).meaning == "second");
}
