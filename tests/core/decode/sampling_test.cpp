#include "core/decode/sampling.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>
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
    const Candidates c = narrowed(candidatesOf(four), {{"temperature", 0.5f}});
    CHECK(c[0].probability == Approx(0.25 / (0.25 + 0.0625 + 0.0225 + 0.01)));
  }
  SECTION("a temperature however small leaves the most probable token, and no number that is none") {
    for (const float temperature : {1e-3f, 1e-38f, 1e-45f}) {
      const Candidates c = narrowed(candidatesOf(four), {{"temperature", temperature}});
      CHECK(c[0].token == 2);
      CHECK(c[0].probability == Approx(1));
      for (const Candidate& one : c) CHECK_FALSE(std::isnan(one.logit));
    }
  }
  SECTION("top-k keeps k and renormalises") {
    const Candidates c = narrowed(candidatesOf(four), {{"top-k", 2}});
    REQUIRE(c.size() == 2);
    CHECK(c[0].probability == Approx(2.0 / 3));
  }
  SECTION("top-p keeps the fewest that reach p") {
    CHECK(narrowed(candidatesOf(four), {{"top-p", 0.74f}}).size() == 2);
    CHECK(narrowed(candidatesOf(four), {{"top-p", 0.76f}}).size() == 3);
    CHECK(narrowed(candidatesOf(four), {{"top-p", 0.01f}}).size() == 1);
  }
  SECTION("min-p keeps what is at least p times as probable as the best") {
    const Candidates c = narrowed(candidatesOf(four), {{"min-p", 0.29f}});
    REQUIRE(c.size() == 3);  // 0.5, 0.25 and 0.15; 0.1 is less than 0.145
    CHECK(c[2].probability == Approx(0.15 / 0.9));
    CHECK(narrowed(candidatesOf(four), {{"min-p", 1}}).size() == 1);
  }
  SECTION("penalties make what was said already less probable") {
    // A positive logit of 2 is divided by the penalty, a negative one of −1 multiplied.
    const std::vector<float> logits{2, -1, 0.5f};
    const std::vector<int> text{0, 1, 1};
    const auto logitOf = [](const Candidates& c, int token) {
      return std::ranges::find(c, token, &Candidate::token)->logit;
    };
    const Candidates repeated = narrowed(candidatesOf(logits, text), {{"repetition-penalty", 2}});
    CHECK(logitOf(repeated, 0) == 1);
    CHECK(logitOf(repeated, 1) == -2);
    CHECK(logitOf(repeated, 2) == 0.5f);
    const Candidates often = narrowed(candidatesOf(logits, text), {{"frequency-penalty", 1}});
    CHECK(logitOf(often, 0) == 1);
    CHECK(logitOf(often, 1) == -3);
    const Candidates present = narrowed(candidatesOf(logits, text), {{"presence-penalty", 2}});
    CHECK(logitOf(present, 0) == 0);
    CHECK(logitOf(present, 1) == -3);
    CHECK(present.front().token == 2);  // sorted again
  }
  SECTION("typical keeps what is as surprising as one expects") {
    // H = 1.208; −ln p = 0.693, 1.386, 1.897, 2.303: the second is nearest, then the first, then the third.
    CHECK(narrowed(candidatesOf(four), {{"typical", 0.2f}}).front().token == 0);
    CHECK(narrowed(candidatesOf(four), {{"typical", 0.2f}}).size() == 1);
    const Candidates two = narrowed(candidatesOf(four), {{"typical", 0.7f}});
    REQUIRE(two.size() == 2);
    CHECK(two.front().token == 2);
    CHECK(narrowed(candidatesOf(four), {{"typical", 0.8f}}).size() == 3);
  }
  SECTION("stages act in order: top-p sees what top-k left") {
    CHECK(narrowed(candidatesOf(four), {{"top-k", 2}, {"top-p", 0.6f}}).size() == 1);
  }
}

TEST_CASE("every stage says what it is, and is off at first") {
  std::set<std::string_view> ids;
  for (const SamplingStage& stage : samplingStages()) {
    INFO(stage.id);
    CHECK(ids.insert(stage.id).second);
    CHECK_FALSE(stage.meaning.empty());
    CHECK(stage.low <= stage.off);
    CHECK(stage.off <= stage.high);
    CHECK(StageNumbers().of(stage) == stage.off);
    const Candidates before = candidatesOf(four);
    Candidates after = before;
    stage.apply(after, stage.number == SamplingStage::Number::Count ? 4 : stage.off);
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < after.size(); ++i)
      CHECK(after[i].probability == Approx(before[i].probability));
    StageNumbers numbers;
    numbers.set(stage, stage.high);
    numbers.set(stage, stage.off);
    CHECK(numbers == StageNumbers());
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
