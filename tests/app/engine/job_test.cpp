#include "app/engine/job.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/edge_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/tabs.h"
#include "app/document/view_commands.h"
#include "app/engine/dataset_stats.h"
#include "app/engine/edge_ablation.h"
#include "app/engine/neuron_search.h"
#include "app/engine/rule_numbers.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

// A picture over the lines of two short texts.
Workspace askingLines(const char* view, const char* picture) {
  Workspace workspace = initialWorkspace();
  setTabs(workspace, {TabText("The dog was tired.\nThe cat was old."), TabText("The cat was too old. The")},
          0);
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  commands::choosePicture(view, picture).apply(workspace);
  return workspace;
}

std::vector<float> numbersOf(const Snapshot& snapshot, const std::string& tensor) {
  INFO(tensor << ", missing: " << snapshot.kept.missing);
  REQUIRE(snapshot.kept.measured);
  REQUIRE(snapshot.kept.measured->contains(tensor));
  return (*snapshot.kept.measured)[tensor].copy();
}

// NaN, where nothing is known, is equal to itself.
bool areEqual(const std::vector<float>& a, const std::vector<float>& b) {
  return std::ranges::equal(a, b,
                            [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("what is measured over a dataset is measured of both models that are compared") {
  struct Asked {
    const char *view, *picture, *tensor;
  };
  for (const auto& [view, picture, tensor] :
       {Asked{"influence", "many texts", "effects.loss"}, Asked{"attention", "hypothesis", bench::agreement},
        Asked{"attention", "circuits", "circuit.score"},
        Asked{"residual", "neurons", neuronExamples::activation}}) {
    Workspace workspace = askingLines(view, picture);
    workspace.changes = {{"mask", "none"}};
    workspace.comparison.with = Comparison::asLoaded;
    const auto both = latestFor(workspace);
    REQUIRE(both->other);
    workspace.comparison.with = Comparison::off;
    CHECK(areEqual(numbersOf(*both, tensor), numbersOf(*latestFor(workspace), tensor)));
    workspace.changes = {};
    CHECK(areEqual(numbersOf(*both->other, tensor), numbersOf(*latestFor(workspace), tensor)));
  }
}

TEST_CASE("what components do over a dataset stands beside what they do without the interventions") {
  Workspace workspace = askingLines("influence", "many texts");
  workspace.interventions = {zeroAblation({.kind = ModelPart::Kind::Head, .layer = 0, .head = 3})};
  workspace.comparison.with = Comparison::withoutInterventions;
  const auto both = latestFor(workspace);
  REQUIRE(both->other);
  const std::vector<float> with = numbersOf(*both, "effects.loss"),
                           without = numbersOf(*both->other, "effects.loss");
  CHECK_FALSE(areEqual(with, without));
  CHECK(numbersOf(*both, effects::interventions) == std::vector<float>{1, 0});
  CHECK(numbersOf(*both->other, effects::interventions) == std::vector<float>{0, 0});
  workspace.interventions = {}, workspace.comparison.with = Comparison::off;
  CHECK(areEqual(without, numbersOf(*latestFor(workspace), "effects.loss")));
}

TEST_CASE("edges of two texts are measured of each, and what their graph makes of it") {
  for (const char* texts : {"", firstEdgeTexts}) {
    INFO(texts);
    Workspace workspace = askingLines("influence", "edges");
    workspace.settings.choose(edgeTexts, texts);
    workspace.comparison.with = OtherText{1};
    const auto both = latestFor(workspace);
    REQUIRE(both->other);
    workspace.comparison.with = Comparison::off;
    const auto alone = [&](int tab) {
      Workspace one = workspace;
      if (tab == 1) one.text = "The cat was too old. The", one.aside = {}, one.tab = 0;
      return latestFor(one);
    };
    for (const char* tensor : {edge::here, edge::alone})
      CHECK(areEqual(numbersOf(*both, tensor), numbersOf(*alone(0), tensor)));
    CHECK(areEqual(numbersOf(*both->other, edge::here), numbersOf(*alone(1), edge::here)));
    CHECK(numbersOf(*both, edge::alone) != numbersOf(*both->other, edge::alone));
  }
}
