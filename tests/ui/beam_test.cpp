// Every control of the beam tree, in the real interface.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "app/engine/model_library.h"
#include "app/views/stage.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options tree(int width, int depth, int x = 1280, int y = 720, bool dark = true) {
  UiDriver::Options options;
  options.width = x, options.height = y;
  options.workspace.view = "beam";
  options.workspace.look.dark = dark;
  options.workspace.decoding.beamWidth = width, options.workspace.decoding.depth = depth;
  return options;
}

const BeamTreeSettings& beamSettings(const UiDriver& ui) { return ui.workspace().settings.beam; }

std::string node(int i) { return "beam " + std::to_string(i); }

// A node of the first step that has branches.
int parentNode(const UiDriver& ui) {
  for (const BeamNode& child : ui.snapshot().decoded->beam->nodes)
    if (child.depth == 2) return child.parent;
  return -1;
}

int nodesOnScreen(UiDriver& ui) {
  int count = 0;
  for (std::size_t i = 0; i < ui.snapshot().decoded->beam->nodes.size(); ++i)
    count += ui.exists(node(static_cast<int>(i)));
  return count;
}

}  // namespace

TEST_CASE("a tree of width 16 and depth 64 of the model that ships, in two sizes and both themes") {
  for (const auto& [x, y, dark] : usualLooks) {
    UiDriver::Options options = tree(16, 64, x, y, dark);
    options.loader = storiesModel;
    UiDriver ui(options);
    const std::string suffix = "_" + std::to_string(x) + (dark ? "_dark" : "_light");
    ui.hover("Stage view", 0.02f, 0.98f);
    INFO(suffix);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("beam_16x64" + suffix);
    ui.click("Bars");
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("beam_16x64_length" + suffix);
    ui.click("Fit all");
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("beam_16x64_whole" + suffix);
    for (int i = 0; i < 4; ++i) ui.wheel("beam tree", 1);
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("beam_16x64_zoomed" + suffix);
    for (int i = 0; i < 30; ++i) ui.wheel("beam tree", 1);
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("beam_16x64_closest" + suffix);
  }
}

TEST_CASE("a tree says whether anything scores higher than what the beam found") {
  UiDriver::Options options = tree(1, 6);
  options.loader = storiesModel;
  options.workspace.text = "One day";
  UiDriver ui(options);
  CHECK_THAT(ui.texts(), ContainsSubstring("the beam missed a better one"));
  ui.hover("best of all");
  CHECK_THAT(ui.tooltip(), ContainsSubstring("proved with "));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("beam_missed");
  ui.click("more##Beams");
  CHECK_THAT(ui.texts(), ContainsSubstring("no continuation scores higher"));
  // Of a tree that begins elsewhere than where the open text ends nothing is said.
  ui.click(node(1));
  CHECK(ui.workspace().text != "One day");
  CHECK(ui.snapshot().decoded->root == "One day");
  CHECK(!ui.exists("best of all"));
}

TEST_CASE("the wheel zooms the tree, dragging pans it, a double click shows all") {
  UiDriver ui(tree(8, 24));
  const int before = nodesOnScreen(ui);
  ui.wheel("beam tree", 3);
  CHECK(beamSettings(ui).section.zoom > 1);
  CHECK(nodesOnScreen(ui) < before);
  const TreeSection zoomed = beamSettings(ui).section;
  ui.drag("beam tree", -120, 40);
  CHECK(beamSettings(ui).section.zoom == zoomed.zoom);
  CHECK(beamSettings(ui).section.x > zoomed.x);
  CHECK(beamSettings(ui).section.y < zoomed.y);
  CHECK(ui.layoutFaults() == "");
  CHECK_FALSE(ui.app().history().canUndo());  // nor was any text taken over
  float free = 0.01f;                         // between the nodes
  do ui.hover("beam tree", 0.5f, free += 0.02f);
  while (ui.app().hover().node >= 0);
  ui.doubleClick("beam tree", 0.5f, free);
  CHECK(beamSettings(ui).section == TreeSection{1, 0.5f, 0.5f});
  ui.click("Fit all");
  CHECK(beamSettings(ui).section.zoom == 0);
  ui.click("Fit all");
  CHECK(beamSettings(ui).section.zoom == 1);
}

TEST_CASE("Ctrl with a click folds a node and brings its branches back, and so does its handle") {
  UiDriver ui(tree(3, 6));
  const int folded = parentNode(ui), before = nodesOnScreen(ui);
  REQUIRE(folded > 0);
  ui.clickWith(ImGuiMod_Ctrl, node(folded));
  REQUIRE(beamSettings(ui).folded ==
          std::vector<std::vector<int>>{ui.snapshot().decoded->beam->path(folded)});
  CHECK(nodesOnScreen(ui) < before);
  CHECK(ui.workspace().text == initialWorkspace().text);
  ui.hover("Stage view", 0.02f, 0.98f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("beam_folded");
  ui.click("fold " + std::to_string(folded));
  CHECK(beamSettings(ui).folded.empty());
  CHECK(nodesOnScreen(ui) == before);
  ui.hover(node(folded));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("beam_fold_handle");
  ui.click("fold " + std::to_string(folded));
  CHECK(beamSettings(ui).folded.size() == 1);
}

TEST_CASE("branches below a probability are hidden, never the best hypothesis") {
  UiDriver ui(tree(3, 6, 1920, 1080));
  const int before = nodesOnScreen(ui);
  CHECK(ui.exists("all p"));
  for (const int percent : {1, 2, 5, 10, 20, 50}) {
    ui.click("Stage/+");
    CHECK(beamSettings(ui).leastPercent == percent);
  }
  ui.click("Stage/+");
  CHECK(beamSettings(ui).leastPercent == 50);
  const BeamTree& beam = *ui.snapshot().decoded->beam;
  for (std::size_t i = 1; i < beam.nodes.size(); ++i) {
    if (!ui.exists(node(static_cast<int>(i)))) continue;
    bool best = false;
    for (int n = beam.best; n > 0; n = beam.nodes[static_cast<std::size_t>(n)].parent)
      best |= n == static_cast<int>(i);
    CHECK((best || std::exp(beam.nodes[i].logProbability) >= 0.5));
  }
  for (int n = beam.best; n > 0; n = beam.nodes[static_cast<std::size_t>(n)].parent)
    CHECK(ui.exists(node(n)));
  ui.hover("Stage view", 0.02f, 0.98f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("beam_filtered");
  ui.click("Stage/−");
  CHECK(beamSettings(ui).leastPercent == 20);
  ui.click("p ≥ 20 %");
  CHECK(beamSettings(ui).leastPercent == 0);
  CHECK(nodesOnScreen(ui) == before);
}

TEST_CASE("probabilities are numbers or bars of the same values") {
  UiDriver ui(tree(3, 6));
  ui.click("Bars");
  CHECK(beamSettings(ui).scores == BeamScores::Length);
  ui.hover(node(ui.snapshot().decoded->beam->best));
  CHECK(ui.app().hover().cell.tensor == "beam.probability");
  ui.screenshot("beam_bars");
  ui.click("Stage/Numbers");
  CHECK(beamSettings(ui).scores == BeamScores::Text);
}

TEST_CASE("two trees side by side are zoomed together") {
  UiDriver::Options options = tree(3, 6);
  options.workspace.aside = {"The cat sat on the mat."};
  options.workspace.comparison.with = OtherText{1};
  UiDriver ui(options);
  ui.hover("Stage view", 0.02f, 0.98f);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("beam_compared");
}

TEST_CASE("where greedy decoding loses is one click from the tree, with both totals side by side") {
  for (const auto& [x, y, dark] : usualLooks) {
    UiDriver::Options options = tree(3, 6, x, y, dark);
    options.workspace.look.followsSystem = false;
    const ModelLibrary library(SOURCE_FOLDER "/build");
    options.loader = [&](const std::string& name, const ProgressCallback& watch) {
      return library.load(name, watch);
    };
    UiDriver ui(options);
    CHECK(ui.layoutFaults() == "");
    ui.click("Greedy vs beam");
    CHECK(ui.workspace().model == "translate");
    CHECK_FALSE(ui.exists("Greedy vs beam"));
    CHECK_THAT(ui.texts(), ContainsSubstring("Greedy loses: “Die Leute"));
    ui.hover("total of greedy");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("ln P of the whole, greedy"));
    CHECK(ui.exists("total of beam"));
    ui.hover("Stage view", 0.02f, 0.98f);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("greedy_loses_" + std::to_string(x) + (dark ? "_dark" : "_light"));
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().model == "stories");
  }
}

TEST_CASE("the palette finds where greedy loses") {
  UiDriver::Options options = tree(3, 6);
  options.models = {{"small", ""}, {"translate", ""}};
  options.workspace.view = "attention";
  UiDriver ui(options);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("greedy loses");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().view == "beam");
  CHECK(ui.workspace().source == "People say that the dog sleeps.");
}
