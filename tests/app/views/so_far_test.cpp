#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "app/engine/measurements.h"
#include "app/engine/needs.h"
#include "app/figure/svg_figure.h"
#include "tests/app/views/view_cases.h"

using namespace glassformer;

namespace {

// The engine with a small model whose passes are all looked at, and what it has shown of them.
class Watched {
 public:
  explicit Watched(std::chrono::milliseconds patience = std::chrono::milliseconds(0),
                   std::chrono::milliseconds again = std::chrono::hours(1), NeedsOf needs = neededFor)
      : engine_(
            [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
              return makeSmallModel(name, 3, 4, 128);
            },
            [this] { published(); }, std::move(needs)) {
    engine_.showSoFarAfter(patience, again);
  }

  // What is shown of a workspace before its pass is through; null: nothing is.
  std::shared_ptr<const Snapshot> partialPoints(const Workspace& workspace) {
    const auto all = allSoFar(workspace);
    CHECK(all.size() <= 1);
    return all.empty() ? nullptr : all.front();
  }
  std::vector<std::shared_ptr<const Snapshot>> allSoFar(const Workspace& workspace) {
    seen_.clear();
    engine_.request(workspace, ++revision_);
    engine_.finish();
    CHECK(engine_.partialPoints() == nullptr);
    CHECK(engine_.latest()->revision == revision_);
    return seen_;
  }
  std::shared_ptr<const Snapshot> whole() const { return engine_.latest(); }
  // From now on: how long a pass goes on before it is shown, and how long it waits each time that it is.
  void setPatience(std::chrono::milliseconds patience, std::chrono::milliseconds wait) {
    engine_.showSoFarAfter(patience, std::chrono::hours(1));
    wait_ = wait;
  }

 private:
  void published() {
    const auto partialPoints = engine_.partialPoints();
    if (!partialPoints) return;
    std::this_thread::sleep_for(wait_.load());
    CHECK(partialPoints->revision == revision_);
    CHECK(engine_.latest()->revision < revision_);
    seen_.push_back(partialPoints);
  }

  std::uint64_t revision_ = 0;
  std::atomic<std::chrono::milliseconds> wait_{std::chrono::milliseconds(0)};
  std::vector<std::shared_ptr<const Snapshot>> seen_;
  Engine engine_;
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

// As it is where in place of small pictures of blocks that are not through there are none yet.
Scene without(Scene scene, const TensorSources& known) {
  for (Shape& shape : scene.shapes)
    if (const auto* matrix = std::get_if<Matrix>(&shape); matrix && !plane(known, matrix->values))
      shape = Rect{matrix->box, darkTheme().raised, {0, 0, 0, 0}, 0, 1};
  return scene;
}

// Small pictures of a difference are coloured by the largest one of all that are there: here alike.
Scene withoutScales(Scene scene) {
  constexpr float small = 150;
  for (Shape& shape : scene.shapes)
    if (auto* matrix = std::get_if<Matrix>(&shape); matrix && matrix->box.width < small)
      matrix->range = {-1, 1};
  return scene;
}

int matricesIn(const Scene& scene) {
  return static_cast<int>(std::ranges::count_if(
      scene.shapes, [](const Shape& shape) { return std::holds_alternative<Matrix>(shape); }));
}

// How often a scene says that something is being computed.
int awaitedIn(const Scene& scene) {
  return static_cast<int>(std::ranges::count_if(scene.hits, [](const HitRegion& hit) {
    return hit.target.text.find("Computing…") != std::string::npos;
  }));
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
  for (const auto& [words, layer] : {std::pair(10, 0), {19, 2}})  // the patterns one by one, and pooled
    for (const ViewSetting& setting : settings) {
      Workspace workspace = longText(words);
      workspace.selection.layer = layer;
      setting.apply(workspace);
      CAPTURE(words, layer, setting.name);
      Watched watched;
      for (const bool isEdit : {false, true}) {  // what is opened, too
        CAPTURE(isEdit);
        if (isEdit) workspace.text.replace(4, 3, "mat");
        const auto partialPoints = watched.partialPoints(workspace);
        REQUIRE(partialPoints);
        const auto whole = watched.whole();
        CHECK(partialPoints->pass->text == workspace.text);
        CHECK(partialPoints->model == whole->model);
        CHECK(partialPoints->pass->trace->count() < whole->pass->trace->count());
        // Before the rest of the block is there.
        if (workspace.view == "attention")
          CHECK_FALSE(partialPoints->pass->trace->contains("blocks.2.attn.hook_z"));
        const Scene early = sceneOf(workspace, *partialPoints);
        CHECK(drawn(early, fonts) == drawn(without(sceneOf(workspace, *whole), early.sources), fonts));
      }
    }
}

TEST_CASE("small pictures of later blocks say that they are being computed, and are there block by block") {
  for (const int words : {10, 19}) {  // the patterns one by one, and pooled
    CAPTURE(words);
    Watched watched(std::chrono::milliseconds(0), std::chrono::milliseconds(0));
    Workspace workspace = longText(words);
    workspace.selection.layer = 0;
    const auto all = watched.allSoFar(workspace);
    REQUIRE(all.size() == 3);  // a block each
    constexpr int heads = 4, layers = 3;
    const int whole = matricesIn(sceneOf(workspace, *watched.whole()));
    CHECK(awaitedIn(sceneOf(workspace, *watched.whole())) == 0);
    for (int layer = 0; layer < layers; ++layer) {
      const Scene scene = sceneOf(workspace, *all[static_cast<std::size_t>(layer)]);
      const int later = heads * (layers - 1 - layer);
      CHECK(awaitedIn(scene) == later);
      CHECK(matricesIn(scene) == whole - later);
    }
  }
}

TEST_CASE("of two texts, or models, that are compared both pictures are shown early, as they are then") {
  const FigureFonts fonts;
  struct Case {
    const char* name;
    std::function<void(Workspace&)> set;
    std::function<void(Workspace&)> edit;
  };
  const auto editText = [](Workspace& w) { w.text.replace(4, 3, "mat"); };
  const std::vector<Case> cases{
      {"another text", [](Workspace& w) { w.comparison.with = OtherText{1}; }, editText},
      {"edit of the other text", [](Workspace& w) { w.comparison.with = OtherText{1}; },
       [](Workspace& w) { w.aside[0].text.replace(4, 3, "mat"); }},
      {"without interventions",
       [](Workspace& w) {
         w.comparison.with = Comparison::withoutInterventions;
         w.interventions = {{"blocks.0.hook_mlp_out"}};
       },
       editText},
      {"as loaded",
       [](Workspace& w) {
         w.comparison.with = Comparison::asLoaded;
         w.changes = {{"activation_function", "relu"}};
       },
       editText}};
  for (const Case& compared : cases)
    for (const int layer : {0, 2}) {
      CAPTURE(compared.name, layer);
      Watched watched;
      Workspace workspace = longText(10);
      workspace.aside = {TabText(longText(9).text)};
      workspace.selection.layer = layer;
      compared.set(workspace);
      for (const bool isEdit : {false, true}) {
        CAPTURE(isEdit);
        if (isEdit) compared.edit(workspace);
        const auto partialPoints = watched.partialPoints(workspace);
        REQUIRE(partialPoints);
        const auto whole = watched.whole();
        REQUIRE(partialPoints->other);
        CHECK(partialPoints->pass->text == workspace.text);
        CHECK(partialPoints->other->pass->text == whole->other->pass->text);
        // What is not edited is there as a whole.
        const auto isUnderWay = [&](const Snapshot& some, const Snapshot& all) {
          return some.pass->trace->count() < all.pass->trace->count();
        };
        CHECK((isUnderWay(*partialPoints, *whole) || isUnderWay(*partialPoints->other, *whole->other)));
        for (const auto& [some, all] :
             {std::pair(partialPoints, whole), std::pair(partialPoints->other, whole->other)}) {
          const Scene early = sceneOf(workspace, *some);
          CHECK(drawn(early, fonts) == drawn(without(sceneOf(workspace, *all), early.sources), fonts));
        }
      }
    }
}

TEST_CASE("the difference of two passes is shown of the blocks that both are through, as it is then") {
  const FigureFonts fonts;
  for (const auto& [view, layer] : {std::pair("attention", 0), {"attention", 2}, {"step", 1}})
    for (const int edited : {-1, 0, 1}) {  // none, this text, the other one
      CAPTURE(view, layer, edited);
      Watched watched;
      Workspace workspace = longText(10);
      workspace.aside = {TabText(longText(9).text)};
      workspace.view = view, workspace.selection.layer = layer;
      workspace.step = "blocks.1.attn.hook_q";
      workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
      if (edited >= 0) {
        (void)watched.partialPoints(workspace);
        (edited == 0 ? workspace.text : workspace.aside[0].text).replace(4, 3, "mat");
      }
      const auto partialPoints = watched.partialPoints(workspace);
      REQUIRE(partialPoints);
      REQUIRE(partialPoints->difference);
      const auto whole = watched.whole();
      const Snapshot &early = *partialPoints->difference, &all = *whole->difference;
      CHECK(early.sides->a->pass->text == workspace.text);
      CHECK(early.sides->b->pass->text == workspace.aside[0].text);
      CHECK(early.pass->trace->count() < all.pass->trace->count());
      for (int i = 0; i < early.pass->trace->count(); ++i) {  // both sides are of these texts, to the bit
        const std::string& point = early.pass->trace->point(i).name;
        CAPTURE(point);
        const auto isNumber = [](float x) { return x == x; };
        auto there = early.pass->trace->tensor(i).copy(), then = (*all.pass->trace)[point].copy();
        std::ranges::replace_if(there, std::not_fn(isNumber), 0.f);
        std::ranges::replace_if(then, std::not_fn(isNumber), 0.f);
        CHECK(there == then);
      }
      const Scene scene = withoutScales(sceneOf(workspace, early));
      const std::string then = drawn(without(withoutScales(sceneOf(workspace, all)), scene.sources), fonts);
      CHECK(drawn(scene, fonts) == then);
      if (workspace.view == "attention")
        CHECK(awaitedIn(scene) == 4 * (2 - layer));  // heads of the blocks behind the one looked at
    }
}

TEST_CASE("the difference of what comes next is shown of the place that is looked at alone, as it is then") {
  const FigureFonts fonts;
  for (const int query : {-1, 3}) {
    CAPTURE(query);
    Watched watched;
    Workspace workspace = longText(10);
    workspace.aside = {TabText(longText(10).text + " on")};
    workspace.view = "next_token", workspace.settings.pictures["next_token"] = "distribution";
    workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
    workspace.selection.query = query;
    (void)watched.partialPoints(workspace);
    workspace.text.replace(4, 3, "mat");
    const auto partialPoints = watched.partialPoints(workspace);
    REQUIRE(partialPoints);
    REQUIRE(partialPoints->difference);
    const Snapshot &early = *partialPoints->difference, &all = *watched.whole()->difference;
    CHECK(early.sides->b->pass->text == workspace.aside[0].text);
    const int last = early.sides->a->pass->trace->tokenCount() - 1;
    const int column = early.sides->alignments.text.columnOfA(query < 0 ? last : query);
    const TensorView there = (*early.pass->trace)["logits"], then = (*all.pass->trace)["logits"];
    CHECK_FALSE(early.pass->trace->isWhole("logits"));
    for (int t = 0; t < there.extent[0]; ++t) {
      CAPTURE(t);
      if (t == column)
        CHECK(there[t].copy() == then[t].copy());
      else
        CHECK(std::ranges::all_of(there[t].copy(), [](float x) { return x != x; }));
    }
    CHECK(drawn(sceneOf(workspace, early), fonts) == drawn(sceneOf(workspace, all), fonts));
  }
}

TEST_CASE("an intervention that no pass has come to keeps nothing before it from being compared") {
  const FigureFonts fonts;
  for (const auto mode : {ComparisonMode::SideBySide, ComparisonMode::Difference}) {
    Watched watched;
    Workspace workspace = longText(10);
    workspace.aside = {TabText(longText(9).text)};
    workspace.selection.layer = 0;
    workspace.comparison = {OtherText{1}, mode};
    Intervention ofEvery{"blocks.2.hook_mlp_out"}, ofToken{"blocks.1.hook_mlp_out"};
    ofToken.index[0] = 2;
    ofEvery.kind = ofToken.kind = InterventionKind::Scale, ofEvery.value = ofToken.value = 0.5f;
    workspace.interventions = {ofEvery, ofToken};
    (void)watched.partialPoints(workspace);
    workspace.text.replace(4, 3, "mat");
    const auto partialPoints = watched.partialPoints(workspace);
    REQUIRE(partialPoints);
    REQUIRE(partialPoints->other);
    const auto whole = watched.whole();
    CHECK_FALSE(partialPoints->pass->trace->contains("blocks.1.hook_mlp_out"));
    for (const auto& [some, then] :
         {std::pair(partialPoints, whole), std::pair(partialPoints->other, whole->other)}) {
      const Scene early = sceneOf(workspace, *some);
      CHECK(drawn(early, fonts) == drawn(without(sceneOf(workspace, *then), early.sources), fonts));
    }
    workspace.aside[0].text += " on";  // its own pass goes through what is of every text
    (void)watched.partialPoints(workspace);
    const auto beside = watched.whole()->other->pass->trace;
    workspace.interventions = {ofEvery};
    (void)watched.partialPoints(workspace);
    CHECK(watched.whole()->other->pass->trace == beside);
  }
}

TEST_CASE("the logit lens of the position that is looked at is measured once, early or not, and is kept") {
  static std::vector<std::shared_ptr<const LogitLens>> seen;
  seen.clear();
  static const Need probe{
      .name = "probe",
      .onPass = [](const MeasuredPass& pass, const StartJob&,
                   TensorSet&) { seen.push_back(pass.lens(selectedPosition(pass.workspace, pass.trace))); },
      .soFarOfRow = needs::prediction.soFarOfRow};
  static const std::array<const Need*, 2> both{&needs::prediction, &probe};
  Watched watched({}, std::chrono::hours(1), [](const Workspace&) { return Needs(both); });
  Workspace workspace = longText(10);
  workspace.view = "next_token", workspace.settings.pictures["next_token"] = "distribution";
  const auto partialPoints = watched.partialPoints(workspace);
  REQUIRE(partialPoints);
  REQUIRE(seen.size() == 2);  // early, and of the whole
  CHECK(seen[0] == seen[1]);
  const auto whole = watched.whole();
  LogitLens anew = *logitLensOf(*whole->model->transformer, *whole->pass->trace, seen[0]->position);
  CHECK(anew.probabilities.values() == seen[0]->probabilities.values());
  CHECK(anew.entropies.values() == seen[0]->entropies.values());
  const TensorView shown = (*whole->pass->measurements)["lens.next_token"];
  CHECK(shown.copy() == anew.probabilities.values());
  workspace.selection.head = 1;  // the same pass again
  (void)watched.partialPoints(workspace);
  CHECK(std::ranges::all_of(seen, [](const auto& lens) { return lens == seen[0]; }));
  workspace.selection.query = 3;
  (void)watched.partialPoints(workspace);
  CHECK(seen.back() != seen[0]);
  CHECK(seen.back()->position == 3);
}

TEST_CASE("of an edit every step before the end is shown before the pass is through, as it is then") {
  const FigureFonts fonts;
  Watched watched;
  Workspace workspace = longText(10);
  workspace.view = "step";
  (void)watched.partialPoints(workspace);
  const std::vector<Step> steps = stepsOf(*watched.whole()->model->transformer);
  int shown = 0;
  for (const char* picture : {"equation", "result"})
    for (const Step& step : steps) {
      CAPTURE(picture, nameOf(step));
      workspace.settings.pictures["step"] = picture, workspace.step = nameOf(step);
      workspace.selection.layer = std::max(0, step.layer);
      workspace.text.replace(4, 3, workspace.text.substr(4, 3) == "cat" ? "mat" : "cat");
      const auto partialPoints = watched.partialPoints(workspace);
      CHECK((partialPoints != nullptr) == (step.layer >= 0 || &step < &steps[steps.size() / 2]));
      if (!partialPoints) continue;
      ++shown;
      CHECK(drawn(sceneOf(workspace, *partialPoints), fonts) ==
            drawn(sceneOf(workspace, *watched.whole()), fonts));
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
      (void)watched.partialPoints(workspace);
      workspace.text.replace(workspace.text.find("sat"), 3, "was");
      const auto partialPoints = watched.partialPoints(workspace);
      REQUIRE(partialPoints);
      CHECK_FALSE(partialPoints->pass->trace->isWhole("logits"));
      CHECK(drawn(sceneOf(workspace, *partialPoints), fonts) ==
            drawn(sceneOf(workspace, *watched.whole()), fonts));
      // Where another token is looked at meanwhile, it has nothing to show of that.
      const Needs needs = neededFor(workspace);
      CHECK(isKnownSoFar(needs, workspace, *partialPoints));
      workspace.selection.query = 7;
      CHECK_FALSE(isKnownSoFar(needs, workspace, *partialPoints));
      CHECK(isKnownSoFar(needs, workspace, *watched.whole()));
    }
}

TEST_CASE("a pass is shown at once, without patience, after one that took long, and only then") {
  using namespace std::chrono_literals;
  Watched watched;
  Workspace workspace = longText(10);
  const auto isShown = [&](const char* word) {
    workspace.text.replace(4, 3, word);
    return watched.partialPoints(workspace) != nullptr;
  };
  watched.setPatience(0ms, 3000ms);
  CHECK(isShown("cat"));  // takes three seconds
  watched.setPatience(1000ms, 0ms);
  CHECK(isShown("mat"));
  CHECK_FALSE(isShown("dog"));
}

TEST_CASE("a pass is shown whole alone where pictures read all of it, or it is short") {
  const auto isShownSoFar = [](const std::function<void(Workspace&)>& set,
                               std::chrono::milliseconds patience = std::chrono::milliseconds(0)) {
    Watched watched(patience);
    Workspace workspace = longText(10);
    workspace.aside = {{"The mat was tired."}};
    set(workspace);
    (void)watched.partialPoints(workspace);
    workspace.text.replace(4, 3, "mat");
    return watched.partialPoints(workspace) != nullptr;
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
  const auto beside = [&](ComparisonMode mode) {
    return [=](Workspace& w) {
      nextToken("distribution")(w);
      w.comparison = {OtherText{1}, mode};
    };
  };
  CHECK(isShownSoFar(beside(ComparisonMode::SideBySide)));
  CHECK(isShownSoFar(beside(ComparisonMode::Difference)));
  CHECK_FALSE(isShownSoFar([](Workspace&) {}, std::chrono::hours(1)));
  CHECK_FALSE(isShownSoFar([](Workspace& w) { w.text = "The cat"; }));  // nothing to wait for
}
