// The products that made a number, below the matrices of a step.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/view_cases.h"

using namespace glassformer;

TEST_CASE("products above and below zero have the colours of heatmaps, in every theme") {
  Workspace workspace = initialWorkspace();
  workspace.view = "step", workspace.step = "blocks.0.attn.hook_q";
  const auto snapshot = snapshotOf(workspace);
  const PlainMetrics metrics;
  for (const Theme& theme : {darkTheme(), lightTheme(), highContrast(true)}) {
    const Scene scene = viewOf("step").scene({workspace, *snapshot, {1296, 872}, theme, metrics, {}});
    const auto bars = [&](Rgba color) {
      return std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
        const Rect* bar = std::get_if<Rect>(&shape);
        return bar && bar->box.height == 4 && bar->fill == color;
      });
    };
    CHECK(bars(signColor(1, theme.dark)) > 0);
    CHECK(bars(signColor(-1, theme.dark)) > 0);
    CHECK(bars(theme.attention) + bars(theme.feedForward) == 0);
  }
}
