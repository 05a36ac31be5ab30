// The products that made a number, below the matrices of a step.
#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/view_cases.h"

using namespace glassformer;

TEST_CASE(
    "the products that make a number have the colours of heatmaps' cells of their sign, in every theme") {
  Workspace workspace = initialWorkspace();
  workspace.view = "step", workspace.step = "blocks.0.attn.hook_q";
  const auto snapshot = snapshotOf(workspace);
  const PlainMetrics metrics;
  for (const Theme& theme : {darkTheme(), lightTheme(), highContrast(true)}) {
    const Scene scene = viewOf("step").scene({workspace, *snapshot, {1296, 872}, theme, metrics, {}});
    int negative = 0, positive = 0;
    for (std::size_t i = 0; i + 1 < scene.shapes.size(); ++i) {
      // "0.31 · −1.20 = −0.372", and below it the bar.
      const auto* words = std::get_if<Text>(&scene.shapes[i]);
      const auto* bar = std::get_if<Rect>(&scene.shapes[i + 1]);
      if (!words || !bar || words->text.find(" · ") == std::string::npos) continue;
      const std::size_t is = words->text.rfind("= ");
      if (is == std::string::npos) continue;
      const bool falls = words->text.substr(is + 2).starts_with("−");
      INFO(words->text);
      CHECK(bar->fill == colorAt(ColorMap::Diverging, falls ? 0.2f : 0.8f, theme.dark));
      ++(falls ? negative : positive);
    }
    CHECK((negative > 2 && positive > 2));
  }
}
