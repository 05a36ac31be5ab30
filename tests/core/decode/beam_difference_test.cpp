#include "core/decode/beam_difference.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace glassformer;
using Catch::Approx;

namespace {

BeamNode node(int parent, int token, double logProbability, double score, BeamState state) {
  BeamNode result{.parent = parent, .token = token, .depth = parent < 0 ? 0 : 1};
  result.logProbability = logProbability, result.score = score, result.state = state;
  return result;
}

// a: root → 5 (kept) → 7; root → 6 (pruned). b: root → 6 (kept) → 7; root → 5 (pruned); root → 9.
BeamTree first() {
  BeamTree tree;
  tree.nodes = {node(-1, -1, 0, 0, BeamState::Kept), node(0, 5, -0.5, -0.5, BeamState::Kept),
                node(0, 6, -1.5, -1.5, BeamState::Pruned), node(1, 7, -0.25, -0.75, BeamState::Kept)};
  tree.nodes[2].beatenBy = 1;
  tree.best = 3;
  return tree;
}
BeamTree second() {
  BeamTree tree;
  tree.nodes = {node(-1, -1, 0, 0, BeamState::Kept), node(0, 6, -0.4, -0.4, BeamState::Kept),
                node(0, 5, -2, -2, BeamState::Pruned), node(0, 9, -3, -3, BeamState::Pruned),
                node(1, 7, -0.1, -0.5, BeamState::Kept)};
  tree.best = 4;
  return tree;
}

}  // namespace

TEST_CASE("two searches become one tree: the same tokens are the same hypothesis") {
  const BeamUnion both = uniteBeams(first(), second());
  REQUIRE(both.tree.nodes.size() == 6);
  CHECK(both.a == std::vector{0, 1, 2, 3, -1, -1});
  CHECK(both.b == std::vector{0, 2, 1, -1, 3, 4});
  CHECK(both.tree.path(3) == std::vector{5, 7});
  CHECK(both.tree.path(4) == std::vector{9});
  CHECK(both.tree.path(5) == std::vector{6, 7});
  CHECK(both.tree.best == 3);
  CHECK(both.bestOfB == 5);
  CHECK(both.tree.nodes[1].state == BeamState::Kept);
  CHECK(both.tree.nodes[2].state == BeamState::Kept);  // pruned here, kept there
  CHECK(both.tree.nodes[4].state == BeamState::Pruned);
  CHECK(both.inBoth(2));
  CHECK_FALSE(both.inBoth(3));
  CHECK_FALSE(both.inBoth(5));
}

TEST_CASE("scores are subtracted where both searches have the hypothesis") {
  const BeamUnion both = uniteBeams(first(), second());
  TensorSet set;
  measureBeamDifference(both, first(), second(), set);
  const TensorView difference = set["beam.difference.score"];
  CHECK(difference(0) == 0);
  CHECK(difference(1) == Approx(-0.5 + 2));
  CHECK(difference(2) == Approx(-1.5 + 0.4));
  for (const int only : {3, 4, 5}) CHECK(std::isnan(difference(only)));
  CHECK(set["beam.here.probability"](1) == Approx(std::exp(-0.5)));
  CHECK(set["beam.there.probability"](1) == Approx(std::exp(-2)));
  CHECK(std::isnan(set["beam.there.probability"](3)));
  CHECK(set["beam.there.score"](5) == Approx(-0.5));
  CHECK(std::isnan(set["beam.here.score"](5)));
}

TEST_CASE("a search united with itself differs nowhere") {
  const BeamUnion both = uniteBeams(first(), first());
  CHECK(both.a == both.b);
  CHECK(both.tree.nodes.size() == 4);
  TensorSet set;
  measureBeamDifference(both, first(), first(), set);
  for (int i = 0; i < 4; ++i) CHECK(set["beam.difference.score"](i) == 0);
}
