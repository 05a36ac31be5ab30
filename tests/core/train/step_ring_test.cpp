#include "core/train/step_ring.h"

#include <catch2/catch_test_macros.hpp>

using namespace glassformer;

namespace {

constexpr std::size_t values = 256, enough = 64;

AlignedVector weightsOf(int step) { return AlignedVector(values, static_cast<float>(step)); }

}  // namespace

TEST_CASE("a ring of weights covers a long run evenly, inside its budget") {
  constexpr std::size_t budget = 40 * values * sizeof(float);
  StepRing ring(budget, values, enough);
  for (int step = 0; step <= 10'000; ++step) {
    if (ring.isDue(step) || step % 7 == 0) ring.keep(step, weightsOf(step));
    REQUIRE(ring.bytes() <= budget);
  }
  const std::vector<int> steps = ring.steps();
  CHECK(steps.front() == 0);
  CHECK(steps.size() > 16);
  for (std::size_t i = 1; i + 1 < steps.size(); ++i) CHECK(steps[i] - steps[i - 1] == ring.interval());
  CHECK(10'000 - steps.back() < ring.interval());
}

TEST_CASE("the weights at a step are the newest at or before it, as they were then") {
  StepRing ring(4096 * values, values, enough);
  CHECK(ring.at(10) == nullptr);
  CHECK(ring.stepAt(10) == -1);
  for (const int step : {0, 1, 2, 3}) ring.keep(step, weightsOf(step));
  CHECK(ring.stepAt(2) == 2);
  CHECK(ring.at(2)->front() == 2);
  CHECK(ring.stepAt(1000) == 3);
  ring.cutAfter(1);
  CHECK(ring.stepAt(1000) == 1);
}

TEST_CASE("two rings share the steps that both still keep") {
  StepRing wide(32 * values * sizeof(float), values, enough),
      narrow(8 * values * sizeof(float), values, enough);
  for (int step = 0; step <= 50; ++step) {
    wide.keep(step, weightsOf(step));
    narrow.keep(step, weightsOf(step));
  }
  for (const int atMost : {0, 7, 21, 50}) {
    const int shared = narrow.stepShared(wide, atMost);
    CHECK(shared <= atMost);
    CHECK(narrow.stepAt(shared) == shared);
    CHECK(wide.stepAt(shared) == shared);
    CHECK(shared == wide.stepShared(narrow, atMost));
    CHECK(narrow.stepAt(atMost) - shared < 2 * narrow.interval());
  }
  wide.cutAfter(-1);
  CHECK(narrow.stepShared(wide, 50) == -1);
}

TEST_CASE("what is not due is kept until something newer comes") {
  StepRing ring(8 * values * sizeof(float), values, enough);
  for (int step = 0; step < 8; ++step) ring.keep(step, weightsOf(step));
  REQUIRE(ring.interval() == 2 - 1);
  ring.keep(8, weightsOf(8));  // full: every second one goes
  REQUIRE(ring.interval() == 2);
  ring.keep(9, weightsOf(9));
  CHECK(ring.stepAt(9) == 9);
  ring.keep(10, weightsOf(10));
  CHECK(ring.stepAt(9) == 8);
  CHECK(ring.stepAt(10) == 10);
}

TEST_CASE(
    "what is kept fits the model: many steps of a small one, enough of a larger one, few of a large one") {
  constexpr std::size_t mebibyte = std::size_t{1} << 20, budget = 256 * mebibyte;
  const auto bytes = [](std::size_t parameters) {
    return StepRing(budget, parameters, enough).capacity() * parameters * sizeof(float);
  };
  CHECK(StepRing(budget, 5'000, enough).capacity() == 512);
  CHECK(bytes(5'000) < 10 * mebibyte);
  CHECK(StepRing(budget, 133'000, enough).capacity() > enough);
  CHECK(bytes(133'000) < 44 * mebibyte);
  CHECK(StepRing(budget, 500'000, enough).capacity() == enough);
  CHECK(StepRing(budget, 2'000'000, enough).capacity() < enough);
  CHECK(bytes(2'000'000) > 240 * mebibyte);
  CHECK(StepRing(budget, 100'000'000, enough).capacity() == 4);
}
