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
