// Neurons in the real interface: going through them, switching one off, opening an example.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/switches.h"
#include "app/engine/neuron_search.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options openedNeurons(int width = 1920) {
  UiDriver::Options options;
  options.width = width, options.height = width * 9 / 16;
  options.workspace.view = "residual", options.workspace.settings.pictures["residual"] = "neurons";
  options.workspace.selection.layer = 2;
  options.loader = storiesModel;
  return options;
}

int shownIn(UiDriver& ui) { return shownNeuron(ui.workspace(), ui.snapshot()).neuron; }

}  // namespace

TEST_CASE("neurons are gone through by wheel, arrows and clicks, in either order and block") {
  UiDriver ui(openedNeurons());
  const TensorView order = (*ui.snapshot().pass->measurements)[neurons::order];
  const int first = static_cast<int>(order(0)), second = static_cast<int>(order(1));
  CHECK(shownIn(ui) == first);
  ui.hover("neuron " + std::to_string(first), 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "blocks.2.mlp.hook_post");
  CHECK(ui.app().hover().cell.index[1] == first);
  ui.click("neuron " + std::to_string(second), 0.5f, 0.5f);
  CHECK(shownIn(ui) == second);
  CHECK_THAT(ui.texts(), ContainsSubstring("L2N" + std::to_string(second) + " at every token"));
  ui.press(ImGuiKey_UpArrow);
  CHECK(shownIn(ui) == first);
  ui.wheel("neuron " + std::to_string(first), -1);
  CHECK_FALSE(ui.exists("neuron " + std::to_string(first)));
  ui.click("By index");
  CHECK(ui.workspace().settings.chosen(neuronOrder) == neuronsByIndex);
  ui.click("After");
  CHECK(ui.workspace().selection.layer == 3);
  CHECK_THAT(ui.texts(), ContainsSubstring("MLP neurons of block 3"));
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("a neuron is switched off where it is looked at, and on again") {
  UiDriver ui(openedNeurons());
  const int neuron = shownIn(ui);
  ui.click("Ablate neuron");
  REQUIRE(ui.workspace().interventions.size() == 1);
  CHECK(placeWords(ui.workspace().interventions.front()) == "neuron L2N" + std::to_string(neuron));
  CHECK(shownIn(ui) == neuron);
  const TensorView a = (*ui.snapshot().pass->trace)["blocks.2.mlp.hook_post"];
  for (int t = 0; t < a.extent[0]; ++t) CHECK(a(t, neuron) == 0);
  ui.screenshot("neuron_off");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().interventions.empty());
}

TEST_CASE("an example opens as a text of its own, at its token, and undo closes it") {
  UiDriver ui(openedNeurons());
  REQUIRE(ui.snapshot().kept.measured);
  REQUIRE(ui.snapshot().kept.measured->contains(neuronExamples::activation));
  const int neuron = shownIn(ui), tabs = ui.workspace().tabCount();
  const float activation = (*ui.snapshot().kept.measured)[neuronExamples::activation](0);
  ui.click("example 0", 0.02f, 0.5f);
  CHECK(ui.workspace().tabCount() == tabs + 1);
  const TensorView a = (*ui.snapshot().pass->trace)["blocks.2.mlp.hook_post"];
  CHECK(std::abs(a(ui.workspace().selection.query, neuron) - activation) < 1e-3f);
  ui.screenshot("neuron_example");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().tabCount() == tabs);
  ui.click("Open tabs");
  CHECK((*ui.snapshot().kept.measured)[neuronExamples::searched](1) == 1);
  CHECK(ui.layoutFaults() == "");
}

TEST_CASE("examples are searched in as many texts as are asked for") {
  UiDriver::Options options = openedNeurons();
  options.loader = smallModel;
  UiDriver ui(options);
  ui.click("2000");
  CHECK((*ui.snapshot().kept.measured)[neuronExamples::searched](0) == 2000);
}
