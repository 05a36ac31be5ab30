#include "core/decode/many_samples.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>

#include "tests/core/decode/small_language.h"

using namespace glassformer;

namespace {

std::vector<Continuation> all(ManySamples samples, int& asked) {
  const NextTokenLogits counted = [&](std::span<const int> tokens) { return ++asked, smallLanguage(tokens); };
  while (!samples.isDone()) samples.advance(counted);
  return samples.continuations();
}

}  // namespace

TEST_CASE(
    "each of many samples is what generating with its seed gives, and the model is asked once for all") {
  const std::vector<int> prompt{1, 4};
  constexpr int count = 300, depth = 5, stop = 3;
  const SamplingSettings settings{
      .stages = {{"temperature", 0.8f}, {"top-k", 4}, {"repetition-penalty", 1.3f}}, .seed = 17};
  int asked = 0;
  const auto found = all(ManySamples(prompt, settings, count, depth, 100, stop), asked);
  std::map<std::vector<int>, int> wanted;
  std::map<std::vector<int>, std::uint64_t> first;
  int alone = 0;
  for (int i = 0; i < count; ++i) {
    SamplingSettings one = settings;
    one.seed += static_cast<std::uint64_t>(i);
    const auto tokens = generate([&](std::span<const int> text) { return ++alone, smallLanguage(text); },
                                 prompt, depth, one, 100, stop);
    ++wanted[tokens];
    first.emplace(tokens, one.seed);
  }
  REQUIRE(found.size() == wanted.size());
  int before = count;
  for (const Continuation& c : found) {
    CHECK(c.count == wanted[c.tokens]);
    CHECK(c.seed == first[c.tokens]);
    CHECK(c.count <= before);
    before = c.count;
  }
  CHECK(asked < alone / 4);
}

TEST_CASE("continuations come as often as their probability says, by chi-square") {
  const std::vector<int> prompt{2, 2};
  constexpr int count = 100000, depth = 3;
  int asked = 0;
  const auto found =
      all(ManySamples(prompt, {.stages = {{"top-k", 3}}, .seed = 5}, count, depth, 100), asked);
  CHECK(asked <= 1 + 3 + 9);
  double square = 0, probability = 0;
  for (const Continuation& c : found) {
    const double expected = count * std::exp(c.drawn);
    square += (c.count - expected) * (c.count - expected) / expected;
    probability += std::exp(c.drawn);
    CHECK(c.model < c.drawn);  // the model spreads some of it over what top-k takes out
  }
  CHECK(found.size() == 27);
  CHECK(std::abs(probability - 1) < 1e-9);
  const double freedom = 26;
  INFO(square);
  CHECK(square < freedom + 4 * std::sqrt(2 * freedom) + 4);
}

TEST_CASE("samples end at the context, and where nothing is to be drawn there are none") {
  int asked = 0;
  CHECK(all(ManySamples({1, 2, 3}, {}, 10, 4, 3), asked).empty());
  CHECK(all(ManySamples({1, 2}, {}, 0, 4, 9), asked).empty());
  CHECK(asked == 0);
  const auto cut = all(ManySamples({1, 2, 3}, {}, 10, 4, 5), asked);
  for (const Continuation& c : cut) CHECK(c.tokens.size() == 2);
}
