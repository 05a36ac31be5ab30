// Edges of this text and of many, exactly and as the gradient guesses them, in the real interface.
#include "app/document/edge_settings.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "app/document/neuron_settings.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("an edge that matters leads to the head that reads, and the threshold says how often it does") {
  UiDriver::Options options;
  options.width = 1920, options.height = 1080;
  options.loader = storiesModel;
  options.workspace.view = "influence", options.workspace.settings.pictures["influence"] = "edges";
  options.workspace.selection.layer = 2, options.workspace.selection.head = 0;
  options.workspace.settings.choose(neuronCorpus, corpusOfTabs);
  options.workspace.settings.choose(edgeTexts, firstEdgeTexts);
  options.workspace.aside = {TabText("The dog was too tired. The"), TabText("Anna says that he was old.")};
  UiDriver ui(options);
  ui.settle();
  REQUIRE(ui.snapshot().kept.measured);
  const TensorSet& told = *ui.snapshot().kept.measured;
  const auto edge =
      std::pair(static_cast<int>(told["edges.sender"](0)), static_cast<int>(told["edges.receiver"](0)));
  const float often = told["edges.often"](edge.first, edge.second);
  ui.hover("edge 0");
  CHECK_THAT(ui.app().hover().text, ContainsSubstring("of the texts; a click selects that head"));
  ui.click("edge 0");
  ui.settle();
  ui.screenshot("edges_selected");
  CHECK(ui.layoutFaults() == "");
  ui.click("Stage/≥ 0.1");
  ui.settle();
  CHECK(ui.workspace().settings.chosen("influence.edge_threshold") == "0.1");
  CHECK((*ui.snapshot().kept.measured)["edges.often"](edge.first, edge.second) <= often);
  ui.click("Stage/All");
  ui.settle();
  CHECK((*ui.snapshot().kept.measured)["edges.read"](1) == 3);
  CHECK(std::isfinite((*ui.snapshot().kept.measured)["edges.mean"](edge.first, edge.second)));
  ui.click("Stage/24");
  CHECK(ui.workspace().settings.chosen("influence.edge_texts") == "first");
  // This text alone, and back to many by which ones.
  ui.click("Stage/This text");
  ui.settle();
  CHECK(ui.workspace().settings.chosen("influence.edge_texts") == "");
  CHECK_FALSE(ui.exists("Stage/24"));
  const TensorSet& here = *ui.snapshot().kept.measured;
  CHECK(here["edges.tried"](0) == here["edges.tried"](1));
  CHECK(here.find("edges.mean") < 0);
  ui.hover("edge 0", 0.1f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "edges.here");
  // Beside it what the gradient says, and how far that is off, each of which opens.
  for (const auto& [name, tensor] : {std::pair("gradient 0", "edges.estimate"),
                                     {"off by 0", "edges.error"},
                                     {"bar gradient 0", "edges.estimate"},
                                     {"bar exactly 0", "edges.here"}}) {
    ui.hover(name);
    CHECK(ui.app().hover().cell.tensor == tensor);
    CHECK_THAT(ui.app().hover().text, ContainsSubstring(": estimate by the gradient "));
  }
  ui.hover("gradient 0");
  ui.press(ImGuiKey_W);
  ui.await([&] { return ui.texts().find("edges.made") != std::string::npos; });
  CHECK_THAT(ui.texts(), ContainsSubstring("edges.made"));
  CHECK_THAT(ui.texts(), ContainsSubstring(".attn.hook_"));
  ui.screenshot("edges_estimate_opened");
  ui.press(ImGuiKey_Escape);
  // Of the answer, with thresholds of its own.
  ui.click("Stage/Logit");
  ui.settle();
  CHECK(ui.exists("Stage/≥ 0.3"));
  ui.click("Stage/≥ 0.3");
  CHECK_THAT(ui.texts(), ContainsSubstring("its logit by ≥ 0.3"));
  ui.inEveryLook([&](const std::string& look) {
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("edges_logit_" + look);
  });
  ui.click("Stage/KL");
  ui.settle();
  CHECK(ui.workspace().settings.chosen("influence.edge_threshold") == "");
  CHECK_THAT(ui.texts(), ContainsSubstring("edges whose ablation changes p by ≥ 0.01 nats"));
  CHECK_FALSE(ui.exists("gradient 0"));  // they have no slope where they are
  ui.inEveryLook([&](const std::string&) { CHECK(ui.layoutFaults() == ""); });
  ui.click("Stage/Open tabs");
  ui.settle();
  CHECK(ui.workspace().settings.chosen("influence.edge_texts") == "first");
  CHECK((*ui.snapshot().kept.measured)["edges.read"](1) == 3);
  // What is told stays: of each text's own answer.
  CHECK_THAT(ui.texts(), ContainsSubstring("Edge ablation: KL of the predictions"));
  ui.click("Stage/Logit");
  ui.settle();
  CHECK_THAT(ui.texts(), ContainsSubstring("Edge ablation: answers over a dataset"));
  CHECK_THAT(ui.texts(), ContainsSubstring("its logit by ≥ 0.1 on average, 3 lines"));
  ui.inEveryLook([&](const std::string& look) {
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("edges_logit_many_" + look);
  });
  // By name, too; those of many texts that were chosen stay so.
  const auto choose = [&](const char* name) {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(name);
    ui.press(ImGuiKey_Enter);
    ui.settle();
    return std::string(ui.workspace().settings.chosen("influence.edge_texts"));
  };
  CHECK(choose("edges: this text") == "");
  CHECK(choose("edges: many texts") == "first");
  ui.click("Stage/All");
  CHECK(choose("edges: many texts") == "all");
}

TEST_CASE("choices that one line has no room for stand in several, all of them to be seen") {
  UiDriver::Options options;
  options.width = 1280, options.height = 720;
  options.loader = storiesModel;
  options.workspace.view = "influence", options.workspace.settings.pictures["influence"] = "edges";
  UiDriver ui(options);
  for (const char* choice : {"≥ 0.003", "≥ 0.1", "This text", "Open tabs", "Trained", "Last"}) {
    INFO(choice);
    const ItemRecord item = ui.find(choice);
    CHECK((item.min.x >= item.clipMin.x && item.max.x <= item.clipMax.x));
  }
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("edges_choices_1280");
}
