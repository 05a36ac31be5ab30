#include "core/decode/sampling.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

using namespace glassformer;
using Catch::Approx;

namespace {
// Probabilities 0.5, 0.25, 0.15, 0.1 of tokens 2, 0, 3, 1.
const std::vector<float> four{std::log(0.25f), std::log(0.1f), std::log(0.5f), std::log(0.15f)};
}  // namespace

TEST_CASE("candidates come sorted with their probabilities") {
  const Candidates c = candidatesOf(four);
  CHECK(c[0].token == 2);
  CHECK(c[1].token == 0);
  CHECK(c[3].probability == Approx(0.1));
}

TEST_CASE("each stage does what its definition says") {
  SECTION("temperature one half squares the probabilities") {
    const Candidates c = narrowed(candidatesOf(four), {.temperature = 0.5f});
    CHECK(c[0].probability == Approx(0.25 / (0.25 + 0.0625 + 0.0225 + 0.01)));
  }
  SECTION("top-k keeps k and renormalises") {
    const Candidates c = narrowed(candidatesOf(four), {.topK = 2});
    REQUIRE(c.size() == 2);
    CHECK(c[0].probability == Approx(2.0 / 3));
  }
  SECTION("top-p keeps the fewest that reach p") {
    CHECK(narrowed(candidatesOf(four), {.topP = 0.74f}).size() == 2);
    CHECK(narrowed(candidatesOf(four), {.topP = 0.76f}).size() == 3);
    CHECK(narrowed(candidatesOf(four), {.topP = 0.01f}).size() == 1);
  }
  SECTION("stages act in order: top-p sees what top-k left") {
    CHECK(narrowed(candidatesOf(four), {.topK = 2, .topP = 0.6f}).size() == 1);
  }
}

TEST_CASE("drawing follows the probabilities") {
  Random random(11);
  std::vector<int> counts(4);
  for (int i = 0; i < 20000; ++i) ++counts[static_cast<std::size_t>(draw(candidatesOf(four), random))];
  CHECK(std::abs(counts[2] / 20000.0 - 0.5) < 0.02);
  CHECK(std::abs(counts[1] / 20000.0 - 0.1) < 0.02);
}

TEST_CASE("generation repeats with its seed, stops at the end of the text and at the context") {
  const NextTokenLogits language = [](std::span<const int> tokens) {
    Random random(tokens.size());
    std::vector<float> logits(6);
    for (float& x : logits) x = static_cast<float>(random.normal());
    return logits;
  };
  const std::vector<int> prompt{0, 1};
  CHECK(generate(language, prompt, 20, {.seed = 4}, 100) == generate(language, prompt, 20, {.seed = 4}, 100));
  CHECK(generate(language, prompt, 20, {.seed = 4}, 100) != generate(language, prompt, 20, {.seed = 5}, 100));
  CHECK(generate(language, prompt, 20, {.seed = 4}, 7).size() == 5);
  const auto greedy = generate(language, prompt, 20, {.greedy = true}, 100);
  const auto stopped = generate(language, prompt, 20, {.greedy = true}, 100, greedy[2]);
  CHECK(stopped.back() == greedy[2]);
  CHECK(stopped.size() <= 3);
}
