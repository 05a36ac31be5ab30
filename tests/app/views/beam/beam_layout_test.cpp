#include "app/views/beam/beam_layout.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/random.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// A made-up model: every prefix has its own, always the same, logits.
BeamTree treeOf(int width, int depth) {
  const NextTokenLogits logits = [](std::span<const int> tokens) {
    std::uint64_t seed = 17;
    for (const int token : tokens) seed = seed * 31 + static_cast<std::uint64_t>(token) + 1;
    Random random(seed);
    std::vector<float> values;
    for (int v = 0; v < 40; ++v) values.push_back(static_cast<float>(random.uniform01() * 5));
    return values;
  };
  const std::vector<int> prompt{1, 2, 3};
  return beamSearch(logits, prompt, {.width = width, .depth = depth});
}

bool overlap(const Box& a, const Box& b) {
  const float slack = 0.01f;
  return a.x < b.right() - slack && b.x < a.right() - slack && a.y < b.bottom() - slack &&
         b.y < a.bottom() - slack;
}

}  // namespace

TEST_CASE("values are spread as near as possible to where they want to be") {
  CHECK(spread({5, 50}, {0, 10}, 100) == std::vector<float>{5, 50});
  CHECK(spread({20, 20}, {0, 10}, 100) == std::vector<float>{15, 25});
  CHECK(spread({-9, 95}, {0, 10}, 90) == std::vector<float>{0, 90});
  CHECK(spread({0, 0, 0}, {0, 60, 60}, 100) ==
        std::vector<float>{0, 60, 120});  // more than fits: from the top
}

TEST_CASE("no two nodes of a beam tree overlap, and no links cross") {
  for (const auto& [width, depth] : {std::pair{1, 4}, {3, 6}, {8, 12}}) {
    const BeamTree tree = treeOf(width, depth);
    const BeamLayout layout = layOutBeam(tree, {.size = {608, 380}});
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
      const auto& place = layout.places[i];
      CHECK(place.box.y >= 0);
      CHECK(place.box.bottom() <= layout.size.y + 0.01f);
      for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(place.box, layout.places[j].box));
    }
    const auto boxOf = [&](int node) {
      return layout.places[static_cast<std::size_t>(layout.placeOf[static_cast<std::size_t>(node)])].box;
    };
    for (const auto& a : layout.places)
      for (const auto& b : layout.places) {
        const BeamNode &m = tree.nodes[static_cast<std::size_t>(a.node)],
                       &n = tree.nodes[static_cast<std::size_t>(b.node)];
        if (m.depth != n.depth || m.depth == 0 || m.parent == n.parent) continue;
        CHECK((boxOf(m.parent).y < boxOf(n.parent).y) == (a.box.y < b.box.y));
      }
  }
}

TEST_CASE("everything that was kept is shown, and no more pruned branches than asked for") {
  const BeamTree tree = treeOf(3, 6);
  const BeamLayout layout = layOutBeam(tree, {.size = {608, 380}, .prunedShown = 1});
  std::vector<int> prunedOf(tree.nodes.size(), 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const bool pruned = tree.nodes[i].state == BeamState::Pruned;
    if (!pruned) CHECK(layout.placeOf[i] >= 0);
    if (pruned && layout.placeOf[i] >= 0 && !tree.nodes[i].greedy)
      CHECK(++prunedOf[static_cast<std::size_t>(tree.nodes[i].parent)] <= 1);
    if (tree.nodes[i].greedy) CHECK(layout.placeOf[i] >= 0);
  }
}
