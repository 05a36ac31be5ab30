#include "app/views/positions/effect_picture.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/app/views/view_cases.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// The pairs that are drawn as arrows of one tensor, by their angles.
std::vector<double> anglesOf(const Scene& scene, const char* ending) {
  std::vector<double> angles;
  for (const Shape& shape : scene.shapes) {
    const auto* phasor = std::get_if<Phasor>(&shape);
    if (!phasor || !phasor->pair.tensor.ends_with(ending)) continue;
    const auto pair = plane(scene.sources, phasor->pair);
    REQUIRE(pair);
    angles.push_back(std::atan2((*pair)(0, pair->extent[1] - 1), (*pair)(0, 0)));
  }
  return angles;
}

}  // namespace

TEST_CASE("turned pairs are drawn as the columns that were turned, each at its own speed") {
  for (const char* turned : {"0", "4"})
    for (const char* positions : {"rotary", "rotary_halves"}) {
      INFO(positions << ", " << turned);
      Workspace workspace = initialWorkspace();
      workspace.view = "positions";
      workspace.changes = {{"position_embedding_type", positions}, {"rotary_dim", turned}};
      workspace.selection.query = 5;
      const auto snapshot = snapshotOf(workspace);
      REQUIRE(snapshot->standing.error == "");
      const Theme theme = darkTheme();
      const PlainMetrics metrics;
      const SceneInput input{workspace, *snapshot, {1600, 800}, theme, metrics, {}};
      const auto scene = positionEffectScene(input);
      REQUIRE(scene);
      const std::vector<double> before = anglesOf(*scene, "attn.hook_q"),
                                after = anglesOf(*scene, "attn.hook_rot_q");
      const int K = snapshot->model->config->headWidth(), R = *turned == '0' ? K : 4;
      REQUIRE(before.size() >= 2);
      REQUIRE(before.size() <= static_cast<std::size_t>(R / 2));
      REQUIRE(after.size() >= before.size());
      for (std::size_t i = 0; i < before.size(); ++i) {
        const double by = 5 / std::pow(10000, 2.0 * static_cast<double>(i) / R);
        // Queries as they were and turned follow each other, then both turned ones are drawn once more.
        CHECK(std::remainder(after[2 * i] - before[i] - by, 2 * std::acos(-1.0)) == Approx(0).margin(1e-3));
      }
    }
}
