#include "app/views/stage.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/tabs.h"
#include "app/engine/ablation_map.h"
#include "app/scene/tensor_ref.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

// The range in which a picture draws a tensor.
Range drawnRange(const Scene& scene, const std::string& tensor) {
  for (const Shape& shape : scene.shapes)
    if (const auto* matrix = std::get_if<Matrix>(&shape); matrix && matrix->values.tensor == tensor)
      return matrix->range;
  FAIL("no matrix of " << tensor);
  return {};
}

}  // namespace

TEST_CASE("pictures side by side have one scale, on which the larger number of both is largest") {
  Workspace workspace = openedOn("influence", "leave out");
  setTabs(workspace, {TabText("The dog was too tired. The"), TabText("The cat was old. Anna")}, 0);
  workspace.comparison.with = OtherText{1};
  const auto both = latestFor(workspace);
  REQUIRE(both->other);
  const auto panes = stagePanes(workspace, *both, {0, 0, 1296, 872});
  REQUIRE(panes.size() == 2);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const SceneInput input{workspace, *both, {}, theme, metrics, {}, Room::Compared};
  const Range left = drawnRange(stageScene(viewOf("influence"), panes[0], input), causal::logit),
              right = drawnRange(stageScene(viewOf("influence"), panes[1], input), causal::logit);
  CHECK((left.low == right.low && left.high == right.high));
  const TensorRef all{causal::logit, {0, 0}, 0, 1};
  const Range here = rangeOf(sourcesOf(*both), all), there = rangeOf(sourcesOf(*both->other), all);
  CHECK(symmetric(here).high != symmetric(there).high);
  CHECK(left.high >= std::max(symmetric(here).high, symmetric(there).high));
  // Alone each text has its own scale.
  workspace.comparison.with = Comparison::off;
  const SeenPicture alone(workspace);
  CHECK(drawnRange(alone.scene, causal::logit).high == symmetric(here).high);
}
