// What transformers are compared with in the real interface: every view of recurrence and convolution, and
// what attention would have offered said in words, or left out.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/steps.h"
#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const FamilyMember& member(std::string_view name) {
  static const std::vector<FamilyMember> all = familyMembers();
  return *std::ranges::find(all, name, &FamilyMember::name);
}

UiDriver::Options openedMixing(const FamilyMember& model, int width = 1280, int height = 720,
                               bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.text = "The animal didn't cross the street because it was too tired.";
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  options.loader = [model](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return model.model(name);
  };
  return options;
}

}  // namespace

TEST_CASE("every view and step of recurrence and convolutions, in two sizes and both themes") {
  for (const char* name : {"recurrence", "convolution", "ResNet", "ConvNeXt"}) {
    UiDriver ui(openedMixing(member(name)));
    const auto see = [&](const std::string& what, const std::string& look) {
      ui.hover("Stage view", 0.01f, 0.97f);
      const std::string seen = name + ("_" + what) + "_" + look;
      ui.screenshot("mixing_" + seen);
      INFO(seen);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    };
    const auto look = [&](const std::string& what) {
      ui.inEveryLook([&](const std::string& usual) { see(what, usual); });
    };
    for (const char* view : {"Attention", "Residual", "Next token", "Positions", "Tokens", "Beams"}) {
      ui.click(std::string("Top bar/") + view);
      look(view);
    }
    ui.click("Top bar/Residual");
    ui.click("Contributions");
    look("Contributions");
    ui.click("Top bar/Positions");
    ui.click("Position scores");
    look("Position scores");
    const auto steps = stepsOf(*ui.snapshot().model->transformer);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].layer != 0) continue;
      while (ui.step() < static_cast<int>(i) || ui.workspace().view != "step") ui.press(ImGuiKey_RightArrow);
      look("step_" + steps[i].title);
    }
    ui.inEveryLook([&](const std::string& usual) {
      ui.press(ImGuiKey_M, ImGuiMod_Shift);
      see("panel", usual);
      ui.press(ImGuiKey_Escape);
    });
  }
}

TEST_CASE("without attention the attention view leads to what there is instead") {
  UiDriver ui(openedMixing(member("recurrence")));
  CHECK(ui.workspace().view == "attention");
  ui.click("Its steps");
  CHECK(ui.workspace().view == "step");
  const auto steps = stepsOf(*ui.snapshot().model->transformer);
  CHECK(steps[static_cast<std::size_t>(ui.step())].title == "Input");
  ui.press(ImGuiKey_RightArrow), ui.press(ImGuiKey_RightArrow);
  CHECK(steps[static_cast<std::size_t>(ui.step())].title == "State");
  ui.hover("step tensor", 0.5f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "blocks.0.recurrence.hook_state");
  ui.screenshot("mixing_state_explained");
  ui.click("Top bar/Attention");
  ui.click("Weighted values");
  CHECK(ui.workspace().view == "residual");
}

TEST_CASE("what has no heads offers none; its recurrence and convolution are switched off as attention is") {
  for (const char* name : {"recurrence", "convolution"}) {
    UiDriver ui(openedMixing(member(name)));
    const Selection before = ui.workspace().selection;
    ui.press(ImGuiKey_X);
    ui.press(ImGuiKey_DownArrow);
    CHECK(ui.workspace().interventions.empty());
    CHECK(ui.workspace().selection == before);
    ui.press(ImGuiKey_X, ImGuiMod_Shift);
    CHECK(ui.workspace().interventions.back().point == std::string("blocks.0.hook_") + name + "_out");
    ui.settle();
    CHECK((*ui.snapshot().pass->trace)[std::string("blocks.0.hook_") + name + "_out"](3, 1) == 0);
    CHECK(ui.layoutFaults() == "");
    ui.press(ImGuiKey_X, ImGuiMod_Shift);
    CHECK(ui.workspace().interventions.empty());
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("head");
    CHECK_FALSE(ui.exists("Head L0H0"));
  }
}

TEST_CASE("without a residual connection nothing is added: the map cuts the stream") {
  for (const bool dark : {true, false}) {
    UiDriver ui(openedMixing(member("replacing, RNN"), 1280, 720, dark));
    ui.click("Top bar/Residual");
    ui.click("Contributions");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("mixing_replacing_") + (dark ? "dark" : "light"));
  }
}

TEST_CASE("each tap of a convolution is an equation of its own, chosen by the token that it reads") {
  UiDriver ui(openedMixing(member("convolution")));
  ui.click("Its steps");
  const auto shown = [&] {
    ui.hover("step tensor", 0.5f, 0.9f);
    CHECK(ui.app().hover().cell.tensor == "blocks.0.convolution.hook_taps");
    return ui.app().hover().cell.index[1];
  };
  CHECK(shown() == 0);
  ui.click("2 before");
  CHECK(shown() == 2);
  CHECK(ui.workspace().settings.chosen("step.tap") == "2");
  ui.click("step tensor", 0.5f, 0.02f);  // in front of the first token is nothing
  CHECK(ui.texts().find("This tap reads a position without a token") != std::string::npos);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("mixing_tap");
  ui.click("itself");
  CHECK(ui.workspace().settings.chosen("step.tap") == "");
}

TEST_CASE("the heatmap of a tap answers for its own tap") {
  UiDriver ui(openedMixing(member("convolution")));
  ui.click("Its steps");
  ui.click("Result");
  for (int tap = 0; tap < 4; ++tap) {
    ui.hover("tap " + std::to_string(tap), 0.5f, 0.9f);
    CHECK(ui.app().hover().cell.tensor == "blocks.0.convolution.hook_taps");
    CHECK(ui.app().hover().cell.index[1] == tap);
  }
  CHECK_FALSE(ui.exists("tap 4"));
}

TEST_CASE("a transformer becomes a recurrence and back, beside itself as it was") {
  UiDriver ui;
  ui.press(ImGuiKey_X);  // a head that the recurrence will not have
  ui.press(ImGuiKey_M, ImGuiMod_Shift);
  ui.click("Token mixer##fieldmixing");
  ui.screenshot("mixing_choice");
  ui.click("RNN##mixingrecurrence");
  CHECK(ui.snapshot().model->config->mixing == Mixing::Recurrence);
  CHECK(ui.snapshot().model->freshValues > 0);
  CHECK(ui.snapshot().standing.error.empty());
  REQUIRE(ui.snapshot().pass->hasTrace());
  CHECK_FALSE(ui.exists("Attention##section"));
  ui.click("Compare##model");
  ui.press(ImGuiKey_Escape);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("mixing_compared_attention");
  ui.click("Top bar/Residual");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("mixing_compared_residual");
  ui.press(ImGuiKey_D);  // nothing to subtract: the trace points are others
  CHECK_FALSE(ui.snapshot().difference);
  CHECK(ui.layoutFaults() == "");
}
