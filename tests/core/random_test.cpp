#include "core/random.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

using namespace glassformer;

// The first outputs of SplitMix64 for seed 1234567, as published with other implementations.
TEST_CASE("the generator is SplitMix64") {
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
}

TEST_CASE("uniform numbers are uniform and within bounds") {
  Random random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts.at(static_cast<std::size_t>(random.below(7)));
  for (int count : counts) CHECK(std::abs(count - 10000) < 500);
  CHECK(random.below(1) == 0);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.uniform01();
    REQUIRE(value >= 0);
    REQUIRE(value < 1);
    sum += value;
  }
  CHECK(std::abs(sum / 10000 - 0.5) < 0.02);
}

TEST_CASE("a generator made from a state goes on where the other is") {
  Random random(9);
  for (int i = 0; i < 5; ++i) random.next();
  Random other(random.state());
  CHECK(other.next() == random.next());
}
