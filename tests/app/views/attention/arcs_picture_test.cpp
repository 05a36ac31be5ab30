#include "app/views/attention/arcs_picture.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "app/views/views.h"
#include "tests/app/views/view_cases.h"

using namespace glassformer;

TEST_CASE("an arc stands on the words of its tokens, wherever the matrix is zoomed to") {
  Workspace workspace = initialWorkspace();
  AttentionSettings& settings = workspace.settings.attention;
  workspace.settings.pictures["attention"] = "arcs", settings.leastPercent = 1;
  const auto snapshot = snapshotOf(workspace);
  for (const PositionWindow& window : {PositionWindow{}, {3, 3, 5}, {6, 1, 5}, {1, 6, 5}}) {
    settings.window = window;
    const PlainMetrics metrics;
    const Theme theme = darkTheme();
    const Scene scene = viewOf("attention").scene({workspace, *snapshot, {1296, 872}, theme, metrics, {}});
    const auto hit = std::ranges::find(scene.hits, "arcs", &HitRegion::name);
    REQUIRE(hit != scene.hits.end());
    const auto tokenAt = [&](float x) { return targetAt(*hit, {x, hit->box.center().y}).token; };
    int arcs = 0;
    for (const Shape& shape : scene.shapes) {
      const auto* arc = std::get_if<Ribbon>(&shape);
      if (!arc) continue;
      ++arcs;
      REQUIRE(tokenAt(arc->from.x) == arc->value.index[1]);
      REQUIRE(tokenAt(arc->to.x) == arc->value.index[2]);
    }
    CHECK(arcs > 3);
    for (int token = hit->firstColumn; token < hit->firstColumn + hit->columns; ++token) {
      Target target = hit->target;
      target.token = token;
      CHECK_FALSE(hit->say(target).empty());
    }
  }
}

TEST_CASE("of very many arcs the strongest are drawn, and all are counted") {
  Workspace workspace = initialWorkspace();
  while (workspace.text.size() < 900) workspace.text += " The cat sat on the mat.";
  AttentionSettings& settings = workspace.settings.attention;
  workspace.settings.pictures["attention"] = "arcs", settings.leastPercent = 1;
  for (int head = 0; head < 8; ++head) settings.heads.push_back({head % 2, head});
  Engine engine(
      [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
        return makeSmallModel(name, 2, 8, 256);
      },
      [] {}, neededFor, 1);
  engine.request(workspace, 1);
  engine.finish();
  const auto snapshot = engine.latest();
  std::vector<float> strengths;
  for (int head = 0; head < 8; ++head) {
    const TensorView pattern =
        (*snapshot->pass->trace)["blocks." + std::to_string(head % 2) + ".attn.hook_pattern"][head];
    pattern.forEach([&](const auto&, float value) {
      if (value >= 0.01f) strengths.push_back(value);
    });
  }
  std::ranges::sort(strengths, std::greater());
  REQUIRE(strengths.size() > 10'000);
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  const Scene scene = viewOf("attention").scene({workspace, *snapshot, {1296, 872}, theme, metrics, {}});
  std::vector<float> drawn;
  bool counted = false;
  for (const Shape& shape : scene.shapes) {
    if (const auto* arc = std::get_if<Ribbon>(&shape)) drawn.push_back(*valueOf(scene.sources, arc->value));
    if (const auto* text = std::get_if<Text>(&shape))
      counted |= text->text.find("the strongest 1500 arcs of " + std::to_string(strengths.size()) + " ") == 0;
  }
  CHECK(counted);
  std::ranges::sort(drawn, std::greater());
  strengths.resize(drawn.size());
  CHECK(drawn.size() == 1500);
  CHECK(drawn == strengths);
}
