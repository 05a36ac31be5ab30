#include "core/lens/edge_estimates.h"

#include <catch2/catch_approx.hpp>
#include <cmath>
#include <random>

#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// The terms of every tensor that begins so give its numbers. How many there are.
int checkNumbers(const TensorSet& set, const std::string& begins) {
  int known = 0;
  for (int i = 0; i < set.count(); ++i) {
    const std::string& name = set.point(i).name;
    if (!name.starts_with(begins)) continue;
    set.tensor(i).forEach([&](const std::array<int, maxRank>& at, float value) {
      const auto made = set.derive(name, at);
      if (!made) return;
      ++known;
      INFO(name << " " << at[0] << ", " << at[1]);
      CHECK(made->value() == Approx(value).margin(2e-4).epsilon(1e-3));
    });
  }
  return known;
}

}  // namespace

TEST_CASE("what a gradient says of an edge is what its sender makes there times the slope, in every model") {
  using Kind = Metric::Kind;
  std::mt19937 random(3);
  int opened = 0, behindSums = 0;
  forEachMember([&](const ModelConfig& config) {
    if (!whyNoEdges(config).empty()) return;
    const auto model = makeModel(config);
    LivePass live(model, 1);
    const std::vector<int> source = config.isEncoderDecoder() ? std::vector{1, 2} : std::vector<int>{};
    const auto trace = live.run(std::vector{3, 9, 20, 9}, {}, source);
    const ModelEdges edges = edgesOf(*model);
    for (const Metric& telling : {Metric{}, Metric{.kind = Kind::Answer, .of = {{2, 13}, 30}}}) {
      if (!hasEdgeEstimates(config, telling.kind)) continue;
      const Tensor told = EdgeAblation(*model, edges, *trace, {}, telling).estimates();
      for (int i = 0; i < 3; ++i) {
        const std::size_t s = random() % edges.senders.size(), r = random() % edges.receivers.size();
        if (!edges.leads(s, r)) continue;
        INFO(nameOf(edges.senders[s]) << " to " << nameOf(edges.receivers[r]));
        const MultiPassDerivation across = edgeEstimateAcross(model, edges, *trace, {}, s, r, telling)();
        REQUIRE(across.passes.size() == 1);
        CHECK(across.derivation.value() ==
              Approx(told.view()(static_cast<int>(s), static_cast<int>(r))).margin(1e-5).epsilon(1e-3));
        const TensorSet& set = *across.passes.front().measured;
        const TensorView made = set[edge::made];
        const Intervention out = TextEdges(*model, edges, *trace).leftOut(s, r);
        const int own = planeOf(edges.receivers[r], config, out.tensor->view());
        for (int k = 0; k < made.extent[1]; ++k)
          CHECK(made(1, k) == Approx(-out.tensor->view()(1, own, k)).margin(1e-5));
        // A head of attention that is not there makes nothing of anything.
        const int known = checkNumbers(set, edge::made);
        CHECK((known == 4 * made.extent[1] || made(1, 0) == 0));
        opened += known;
        if (config.normPlacement != NormPlacement::Post) continue;
        CHECK(checkNumbers(set, edge::sumWithout) >= 4 * config.width);
        behindSums += checkNumbers(set, edge::streamWithout);
      }
    }
  });
  CHECK(opened > 1000);
  CHECK(behindSums > 1000);
}
