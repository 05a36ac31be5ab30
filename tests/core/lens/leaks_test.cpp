// What gets around a mask, to the bit: where nothing does, nothing moves.
#include "core/lens/leaks.h"

#include <catch2/catch_test_macros.hpp>

#include "core/model/live_pass.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;

namespace {

ModelConfig blocksWith(AttentionMask mask, int layers) {
  ModelConfig config = smallConfig();
  config.layers = layers, config.mask = std::move(mask);
  return config;
}

TensorView leaksOf(const ModelConfig& config, TensorSet& set, const Interventions& interventions = {}) {
  const auto model = makeModel(config);
  const auto trace = LivePass(model, 1).run(randomTokens(8, 1), interventions);
  measureLeaks(*model, *trace, interventions, set);
  return set["lens.leaks"];
}

}  // namespace

TEST_CASE("nothing of a later token gets through a causal mask, and every earlier one arrives") {
  const ModelConfig config = blocksWith({MaskKind::Causal, 0, {}}, 3);
  TensorSet set;
  leaksOf(config, set).forEach([&](const auto& at, float moved) {
    CHECK(isMaskedEverywhere(config, at[0], at[1]) == (at[1] > at[0]));
    CHECK((moved == 0) == (at[1] > at[0]));
  });
}

TEST_CASE("a window leaks from block to block, as far as that reaches and no further") {
  const ModelConfig config = blocksWith({MaskKind::Window, 2, {}}, 3);
  TensorSet set;
  int leaks = 0;
  leaksOf(config, set).forEach([&](const auto& at, float moved) {
    const int back = at[0] - at[1];
    CHECK(isMaskedEverywhere(config, at[0], at[1]) == (back < 0 || back > 1));
    CHECK((moved > 0) == (back >= 0 && back <= 3));  // one token further in each of three blocks
    leaks += back > 1 && moved > 0;
  });
  CHECK(leaks == 6 + 5);
}

TEST_CASE("a token that is hidden from one query reaches it around the mask, from all it does not") {
  AttentionMask fromOne{MaskKind::Causal, 0, {{7, 2, false}}}, fromAll{MaskKind::Causal, 0, {}};
  for (int t = 3; t < 8; ++t) fromAll.painted.paint({t, 2, false});
  TensorSet one, alone, all;
  CHECK(leaksOf(blocksWith(fromOne, 2), one)(7, 2) > 0);
  CHECK(leaksOf(blocksWith(fromOne, 1), alone)(7, 2) == 0);  // in a single block there is no way around
  const TensorView hidden = leaksOf(blocksWith(fromAll, 2), all);
  for (int t = 3; t < 8; ++t) CHECK(hidden(t, 2) == 0);
  CHECK(hidden(2, 2) > 0);
}

TEST_CASE("an intervention that lets a head look ahead is a leak") {
  const ModelConfig config = blocksWith({MaskKind::Causal, 0, {}}, 2);
  const Interventions ahead{{.point = "blocks.0.attn.hook_pattern",
                             .kind = InterventionKind::Replace,
                             .index = {0, 3, 5, Intervention::every},
                             .value = 0.5f}};
  TensorSet set;
  const TensorView leaks = leaksOf(config, set, ahead);
  CHECK(leaks(3, 5) > 0);
  CHECK(leaks(3, 6) == 0);
  CHECK(leaks(2, 5) == 0);
}

TEST_CASE("leaks that are stopped are not there in part") {
  const auto model = makeModel(smallConfig());
  const auto trace = LivePass(model, 1).run(randomTokens(8, 1));
  TensorSet set;
  measureLeaks(*model, *trace, {}, set, [](int done, int) { return done < 3; });
  CHECK(set.count() == 0);
}
