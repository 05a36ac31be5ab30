// What made a number that compares passes gives the number that is measured without its terms.
#include "core/lens/across_changes.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/lens/ablation.h"
#include "core/lens/part_effects.h"
#include "core/lens/patching.h"
#include "core/lens/rule_fit.h"
#include "core/trace/derived.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("terms across a change sum to what is measured of it") {
  const auto model = makeModel(smallConfig());
  const std::vector<int> tokens = randomTokens(7, 1);
  const Interventions off{{.point = "blocks.0.attn.hook_z", .index = {-1, 1, -1, -1}}};
  const auto whole = LivePass(model, 1).run(tokens), without = LivePass(model, 1).run(tokens, off);
  const auto as = [&] { return passAtHand("as it is", whole); };
  const auto changed = [&] { return passAgain("without", model, *whole, off); };
  CHECK((*changed().trace)["logits"].copy() == (*without)["logits"].copy());

  LivePass pass(model, 1);
  const AblationEffect measured = leaveOut(pass, *whole, {}, off.front(), {{6, 3}});
  CHECK(answerAcross(as(), changed(), {{6, 3}}).derivation.value() == Approx(measured.logit).margin(1e-6));
  const AblationEffect ofLead = leaveOut(pass, *whole, {}, off.front(), {{6, 3}, 5});
  CHECK(ofLead.logit == Approx(lead(*without, 6, 3, 5) - lead(*whole, 6, 3, 5)).margin(1e-6));
  CHECK(answerAcross(as(), changed(), {{6, 3}, 5}).derivation.value() == Approx(ofLead.logit).margin(1e-6));
  CHECK(divergenceAcross(as(), changed(), 6).derivation.value() == Approx(measured.divergence).margin(1e-6));
  for (const int other : {3, 5})
    CHECK(leadAcross(as(), changed(), 6, 3, other).derivation.value() ==
          Approx(lead(*without, 6, 3, other) - lead(*whole, 6, 3, other)).margin(1e-6));
  const TextEffect effect = effectOn(tokenLossesOf(*whole), tokenLossesOf(*without));
  CHECK(lossAcross(as(), changed()).derivation.value() == Approx(effect.loss).margin(1e-6));
  CHECK(nextLogitAcross(as(), changed()).derivation.value() == Approx(effect.logit).margin(1e-6));

  float furthest = 0;
  for (int v = 0; v < (*whole)["logits"].extent[1]; ++v)
    furthest = std::max(furthest, std::abs((*whole)["logits"](6, v) - (*without)["logits"](6, v)));
  CHECK(furthestAcross(as(), changed(), 6).derivation.value() == Approx(furthest));
  double mean = 0;
  for (const int t : {2, 6})
    mean += divergenceOf((*whole)["logits"][t].copy(), (*without)["logits"][t].copy()) / 2;
  const MultiPassDerivation both = meanDivergenceAcross(as(), changed(), {2, 6});
  CHECK(both.derivation.value() == Approx(mean).margin(1e-6));
  CHECK(both.derivation.terms.size() == 2);
  const TensorSet& moved = *both.passes[1].measured;
  const auto made = moved.derive("lens.divergence.2", {0});
  REQUIRE(made);
  CHECK(made->value() == Approx(moved["lens.divergence.2"](0)).margin(1e-6));
}

TEST_CASE("mean and deviation are made of the numbers themselves") {
  const std::vector<float> numbers{0.25f, -1.5f, 3, 0.125f};
  std::vector<Cell> cells;
  Spread spread;
  for (const float& each : numbers) cells.push_back(&each), spread.add(static_cast<double>(each));
  CHECK(derivedMean(cells).value() == Approx(spread.mean()));
  const auto mean = static_cast<float>(spread.mean());
  CHECK(derivedDeviation(cells, &mean).value() == Approx(spread.deviation()).margin(1e-6));
}
