#include "app/views/beam/beam_node_numbers.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "app/engine/model_library.h"
#include "app/views/beam/beam_nodes.h"
#include "app/views/beam/beam_scene.h"
#include "tests/app/engine/latest_for.h"
#include "tests/app/views/plain_metrics.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// How often a text of the scene spells the number of a node.
using Spelled = std::map<std::string, std::map<int, int>>;
Spelled spelledIn(const Scene& scene) {
  Spelled spelled;
  for (const Shape& shape : scene.shapes)
    if (const auto* text = std::get_if<Text>(&shape); text && !text->value.empty())
      ++spelled[text->value.tensor][text->value.index[0]];
  return spelled;
}

std::string textsIn(const Scene& scene) {
  std::string all;
  for (const Shape& shape : scene.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) all += text->text + "\n";
  return all;
}

}  // namespace

TEST_CASE("every node of a beam tree has its ln P and score, and a pruned one what it lacked") {
  for (const float alpha : {0.0f, 0.6f})
    for (const Point size : {Point{656, 464}, Point{1296, 824}}) {
      Workspace w = initialWorkspace();
      w.view = "beam", w.text = "The old man saw a";
      w.decoding.depth = 4, w.decoding.lengthPenalty = alpha;
      const auto snapshot = latestFor(w);
      const BeamTree& tree = *snapshot->decoded->beam;
      const Theme theme = darkTheme();
      const PlainMetrics metrics;
      const Scene scene = beamScene({w, *snapshot, size, theme, metrics, {}});
      Spelled spelled = spelledIn(scene);
      int kept = 0, pruned = 0;
      for (const HitRegion& hit : scene.hits) {
        if (!hit.name.starts_with("beam ") || hit.target.node <= 0) continue;
        const int node = hit.target.node;
        INFO("node " << node << " at " << hit.box.height << " of " << size.x << ", α = " << alpha);
        const bool isPruned = tree.nodes[static_cast<std::size_t>(node)].state == BeamState::Pruned;
        ++(isPruned ? pruned : kept);
        if (!isPruned) CHECK(spelled["beam.cumulative"][node] == 1);
        if (isPruned && hit.box.height >= twoPrunedLines)
          CHECK(spelled["beam.lacking"][node] == 1);
        else if (isPruned)
          CHECK(spelled["beam.lacking"][node] <= 1);
        if (!isPruned && alpha != 0) CHECK(spelled["beam.score"][node] >= 1);
      }
      CHECK(kept >= 9);
      CHECK(pruned >= 6);
      CHECK_THAT(textsIn(scene), ContainsSubstring(alpha == 0 ? "score = ln P" : "score = ln P / n"));
    }
}

TEST_CASE("the formula of a score names the penalties that are set") {
  BeamTree tree;
  CHECK(formulaOfScore(tree, {}) == "score = ln P, as α = 0");
  tree.lengthPenalty = 0.6f;
  Decoding decoding;
  decoding.siblingPenalty = 0.25f;
  CHECK_THAT(formulaOfScore(tree, decoding), ContainsSubstring("ln P / nᵅ, α = 0.6; n counts"));
  CHECK_THAT(formulaOfScore(tree, decoding), ContainsSubstring("γ (k − 1) lower, γ = 0.25"));
}
