#include "core/lens/part_effects.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("the losses of a text are those of softmax at every token but the first") {
  const auto trace = traceOf(smallConfig(), {3, 9, 9, 20});
  const TokenLosses losses = tokenLossesOf(*trace);
  REQUIRE(losses.tokens() == 3);
  const TensorView logits = (*trace)["logits"];
  double loss = 0;
  for (int t = 0; t < 3; ++t) {
    double sum = 0;
    for (int v = 0; v < logits.extent[1]; ++v) sum += std::exp(static_cast<double>(logits(t, v)));
    const int next = trace->tokens()[static_cast<std::size_t>(t) + 1];
    CHECK(losses.logit[static_cast<std::size_t>(t)] == logits(t, next));
    CHECK(losses.logProbability[static_cast<std::size_t>(t)] ==
          Approx(static_cast<double>(logits(t, next)) - std::log(sum)));
    loss += std::log(sum) - static_cast<double>(logits(t, next));
  }
  CHECK(losses.loss() == Approx(loss));
}

TEST_CASE("an effect is what the loss and the logits change by, and where most") {
  const TokenLosses whole{{-1, -2, -3}, {5, 6, 7}, {1, 2, 3}}, without{{-1.5f, -4, -2}, {4, 6, 9}, {1, 0, 3}};
  const TextEffect effect = effectOn(whole, without);
  CHECK(effect.loss == Approx((0.5 + 2 - 1) / 3));
  CHECK(effect.logit == Approx((-1 + 0 + 2) / 3.0));
  CHECK(effect.worst == 1);
  CHECK(lossRises(whole, without) == std::vector{0.5f, 2.0f, -1.0f});
  CHECK(agreeing(whole, without) == 2);

  const TextEffect counted = effectOn(whole, without, {true, false, true});
  CHECK(counted.loss == Approx((0.5 - 1) / 2));
  CHECK(counted.logit == Approx((-1 + 2) / 2.0));
  CHECK(counted.worst == 0);
}

TEST_CASE("over many texts effects have a mean, a spread, and texts in which they are largest") {
  PartEffects effects;
  for (const auto& [text, loss] : {std::pair{4, 1.0f}, {5, 3.0f}, {7, -1.0f}})
    effects.add(text, {loss, 2 * loss, 0});
  CHECK(effects.loss().mean() == Approx(1));
  CHECK(effects.loss().deviation() == Approx(2));
  CHECK(effects.logit().deviation() == Approx(4));
  const auto strongest = effects.strongestFirst(2);
  REQUIRE(strongest.size() == 2);
  CHECK(strongest[0].text == 5);
  CHECK(strongest[1].text == 4);
  CHECK(effects.strongestFirst(9).back().text == 7);
}
