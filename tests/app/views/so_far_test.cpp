#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/engine/measurements.h"
#include "app/figure/svg_figure.h"
#include "tests/app/views/view_cases.h"

using namespace glassformer;

namespace {

// The engine with a small model whose passes are all looked at, and what it has shown of them.
class Watched {
 public:
  explicit Watched(std::chrono::milliseconds patience = std::chrono::milliseconds(0)) {
    engine_.showSoFarAfter(patience);
  }

  // What is shown of a workspace before its pass is through; null: nothing is.
  std::shared_ptr<const Snapshot> soFar(const Workspace& workspace) {
    seen_ = nullptr;
    engine_.request(workspace, ++revision_);
    engine_.finish();
    CHECK(engine_.soFar() == nullptr);
    CHECK(engine_.latest()->revision == revision_);
    return seen_;
  }
  std::shared_ptr<const Snapshot> whole() const { return engine_.latest(); }

 private:
  void published() {
    const auto soFar = engine_.soFar();
    if (!soFar) return;
    CHECK(soFar->revision == revision_);
    CHECK(engine_.latest()->revision < revision_);
    CHECK(seen_ == nullptr);  // once
    seen_ = soFar;
  }

  std::uint64_t revision_ = 0;
  std::shared_ptr<const Snapshot> seen_;
  Engine engine_{[](const std::string& name, const Watch&) -> Result<LoadedModel> {
                   return makeSmallModel(name, 3, 4, 128);
                 },
                 [this] { published(); }, neededFor};
};

Workspace longText(int words) {
  Workspace workspace = initialWorkspace();
  workspace.text = "The cat";
  for (int i = 0; i < words; ++i) workspace.text += i % 2 ? " was tired" : " sat on the mat";
  return workspace;
}

Scene sceneOf(const Workspace& workspace, const Snapshot& snapshot) {
  const PlainMetrics metrics;
  const Theme theme = darkTheme();
  return viewOf(workspace.view).scene({workspace, snapshot, {1296, 872}, theme, metrics, {}});
}

std::string drawn(Scene scene, const FigureFonts& fonts) {
  Figure figure{.size = pixelSize({1296, 872}), .theme = darkTheme()};
  figure.scenes = {{std::move(scene), {0, 0}}};
  return svgFigure(figure, fonts);
}

// As it is where small pictures of blocks that are not through are left out.
Scene without(Scene scene, const TensorSources& known) {
  std::erase_if(scene.shapes, [&](const Shape& shape) {
    const auto* matrix = std::get_if<Matrix>(&shape);
    return matrix && !plane(known, matrix->values);
  });
  return scene;
}

}  // namespace

TEST_CASE("of an edit every picture of a head is shown before the pass is through, as it is then") {
  const FigureFonts fonts;
  std::vector<ViewSetting> settings = attentionSettings();
  settings.push_back(
      {"lookup", [](Workspace& w) { w.view = "step", w.settings.pictures["step"] = "lookup"; }});
  settings.push_back({"average of early heads", [](Workspace& w) {
                        w.settings.attention.fold = HeadFold::Average;
                        w.settings.attention.heads = {{0, 0}, {0, 1}};
                      }});
  for (const int words : {10, 19})  // the patterns one by one, and pooled
    for (const int layer : {0, 2})
      for (const ViewSetting& setting : settings) {
        Workspace workspace = longText(words);
        workspace.selection.layer = layer;
        setting.apply(workspace);
        CAPTURE(words, layer, setting.name);
        Watched watched;
        CHECK(watched.soFar(workspace) == nullptr);  // what is opened is no edit
        workspace.text.replace(4, 3, "mat");
        const auto soFar = watched.soFar(workspace);
        REQUIRE(soFar);
        const auto whole = watched.whole();
        CHECK(soFar->pass->text == workspace.text);
        CHECK(soFar->pass->trace->count() < whole->pass->trace->count());
        const Scene early = sceneOf(workspace, *soFar);
        CHECK(drawn(early, fonts) == drawn(without(sceneOf(workspace, *whole), early.sources), fonts));
      }
}

TEST_CASE("of an edit every step before the end is shown before the pass is through, as it is then") {
  const FigureFonts fonts;
  Watched watched;
  Workspace workspace = longText(10);
  workspace.view = "step";
  (void)watched.soFar(workspace);
  const std::vector<Step> steps = stepsOf(*watched.whole()->model->transformer);
  int shown = 0;
  for (const char* picture : {"equation", "result"})
    for (const Step& step : steps) {
      CAPTURE(picture, nameOf(step));
      workspace.settings.pictures["step"] = picture, workspace.step = nameOf(step);
      workspace.selection.layer = std::max(0, step.layer);
      workspace.text.replace(4, 3, workspace.text.substr(4, 3) == "cat" ? "mat" : "cat");
      const auto soFar = watched.soFar(workspace);
      CHECK((soFar != nullptr) == (step.layer >= 0 || &step < &steps[steps.size() / 2]));
      if (!soFar) continue;
      ++shown;
      CHECK(drawn(sceneOf(workspace, *soFar), fonts) == drawn(sceneOf(workspace, *watched.whole()), fonts));
    }
  CHECK(shown > 80);
}

TEST_CASE("of an edit what comes next is shown before other positions' logits are there, as it is then") {
  const FigureFonts fonts;
  for (const char* picture : {"distribution", "sampling"})
    for (const int query : {-1, 0, 3, 20}) {  // the last one, one before the edit, behind it
      CAPTURE(picture, query);
      Watched watched;
      Workspace workspace = longText(10);
      workspace.view = "next_token", workspace.settings.pictures["next_token"] = picture;
      workspace.selection.query = query;
      (void)watched.soFar(workspace);
      workspace.text.replace(workspace.text.find("sat"), 3, "was");
      const auto soFar = watched.soFar(workspace);
      REQUIRE(soFar);
      CHECK_FALSE(soFar->pass->trace->isWhole("logits"));
      CHECK(drawn(sceneOf(workspace, *soFar), fonts) == drawn(sceneOf(workspace, *watched.whole()), fonts));
      // Where another token is looked at meanwhile, it has nothing to show of that.
      const Needs needs = neededFor(workspace);
      CHECK(isKnownSoFar(needs, workspace, *soFar));
      workspace.selection.query = 7;
      CHECK_FALSE(isKnownSoFar(needs, workspace, *soFar));
      CHECK(isKnownSoFar(needs, workspace, *watched.whole()));
    }
}

TEST_CASE("a pass is shown whole alone where pictures read all of it, texts are compared, or it is short") {
  const auto isShownSoFar = [](const std::function<void(Workspace&)>& set,
                               std::chrono::milliseconds patience = std::chrono::milliseconds(0)) {
    Watched watched(patience);
    Workspace workspace = longText(10);
    workspace.aside = {{"The mat was tired."}};
    set(workspace);
    (void)watched.soFar(workspace);
    workspace.text.replace(4, 3, "mat");
    return watched.soFar(workspace) != nullptr;
  };
  CHECK(isShownSoFar([](Workspace&) {}));
  const auto nextToken = [](const char* picture) {
    return [=](Workspace& w) { w.view = "next_token", w.settings.pictures["next_token"] = picture; };
  };
  CHECK(isShownSoFar(nextToken("distribution")));
  for (const char* picture : {"text", "shifted", "lens", "strategies", "draft"})
    CHECK_FALSE(isShownSoFar(nextToken(picture)));
  CHECK_FALSE(isShownSoFar([](Workspace& w) { w.view = "residual"; }));
  CHECK_FALSE(isShownSoFar([](Workspace& w) { w.settings.pictures["attention"] = "why"; }));
  CHECK_FALSE(isShownSoFar([](Workspace& w) { w.comparison.with = OtherText{1}; }));
  CHECK_FALSE(isShownSoFar([](Workspace&) {}, std::chrono::hours(1)));
  CHECK_FALSE(isShownSoFar([](Workspace& w) { w.text = "The cat"; }));  // nothing to wait for
}
