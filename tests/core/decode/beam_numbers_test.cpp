#include "core/decode/beam_numbers.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/core/decode/small_language.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("every number of a beam opens into its parent's and its token's") {
  for (const float alpha : {0.0f, 0.7f}) {
    const BeamTree tree =
        beamSearch(smallLanguage, std::vector{1, 2}, {.width = 3, .depth = 4, .lengthPenalty = alpha});
    TensorSet set;
    measureBeam(tree, set);
    for (int i = 1; i < static_cast<int>(tree.nodes.size()); ++i) {
      const BeamNode& node = tree.nodes[static_cast<std::size_t>(i)];
      INFO("node " << i << ", α = " << alpha);
      CHECK(set.derive("beam.log_probability", {i})->value() == Approx(node.logProbability));
      CHECK(set.derive("beam.cumulative", {i})->value() == Approx(node.cumulative));
      CHECK(set.derive("beam.score", {i})->value() == Approx(node.cumulative / std::pow(node.depth, alpha)));
      const Cell before = set.derive("beam.cumulative", {i})->terms.front().factor;
      CHECK(set.locate(before)->index[0] == node.parent);
    }
    CHECK_FALSE(set.derive("beam.cumulative", {0}));
  }
}

TEST_CASE("a pruned hypothesis lacks what the last one kept has more, penalties included") {
  const BeamTree tree = beamSearch(smallLanguage, std::vector{1, 2},
                                   {.width = 4,
                                    .depth = 4,
                                    .lengthPenalty = 0.7f,
                                    .siblingPenalty = 0.3f,
                                    .groups = 2,
                                    .groupPenalty = 0.5f});
  TensorSet set;
  measureBeam(tree, set);
  int pruned = 0, penalized = 0;
  for (int i = 1; i < static_cast<int>(tree.nodes.size()); ++i) {
    const BeamNode& node = tree.nodes[static_cast<std::size_t>(i)];
    INFO("node " << i);
    CHECK(set.derive("beam.ranked", {i})->value() == Approx(node.ranked).margin(1e-6));
    penalized += node.ranked != node.score;
    const float lacking = set["beam.lacking"](i);
    CHECK(std::isnan(lacking) == (node.state != BeamState::Pruned));
    if (node.state != BeamState::Pruned) continue;
    ++pruned;
    CHECK(lacking >= 0);
    CHECK(lacking ==
          Approx(tree.nodes[static_cast<std::size_t>(node.beatenBy)].ranked - node.ranked).margin(1e-5));
    CHECK(set.derive("beam.lacking", {i})->value() == Approx(lacking).margin(1e-6));
  }
  CHECK(pruned > 10);
  CHECK(penalized > 10);
}
