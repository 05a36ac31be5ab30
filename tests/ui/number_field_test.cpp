// The field that every number of the window is set in.
#include "app/panels/number_field.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/decode/sampling.h"
#include "core/decode/temperature.h"
#include "core/decode/top_k.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

int depth(const UiDriver& ui) { return ui.workspace().decoding.depth; }

std::string lastChange(UiDriver& ui) {
  const History& history = ui.app().history();
  return history.stateName(history.state());
}

}  // namespace

TEST_CASE("a number is typed after a click: Enter takes it, Esc leaves what was, and no shortcut runs") {
  UiDriver ui;
  ui.click("Timeline/number##Max new tokens");
  ui.screenshot("number_typing");
  ui.type("64");
  CHECK(depth(ui) == 6);
  CHECK(ui.workspace().view == "attention");
  ui.press(ImGuiKey_Enter);
  CHECK(depth(ui) == 64);
  CHECK(lastChange(ui) == "max new tokens 64");
  ui.click("Timeline/number##Max new tokens");
  ui.type("3");
  ui.press(ImGuiKey_Escape);
  CHECK(depth(ui) == 64);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(depth(ui) == 6);
}

TEST_CASE("what is typed is taken by Tab, which goes on, and by a click elsewhere") {
  UiDriver ui;
  ui.click("Timeline/number##Max new tokens");
  ui.type("12");
  ui.press(ImGuiKey_Tab);
  CHECK(depth(ui) == 12);
  CHECK(ui.app().focus().name() == "Timeline/less##Beams");
  ui.click("Timeline/number##Max new tokens");
  ui.type("9");
  ui.click("Residual");
  CHECK(depth(ui) == 9);
}

TEST_CASE("a number out of range is refused with its limits, and can be mended") {
  UiDriver ui;
  ui.click("Timeline/number##Max new tokens");
  ui.type("65");
  ui.press(ImGuiKey_Enter);
  CHECK(depth(ui) == 6);
  CHECK_THAT(ui.tooltip(), ContainsSubstring("a whole number from 1 to 64"));
  ui.screenshot("number_refused");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("64");
  ui.press(ImGuiKey_Enter);
  CHECK(depth(ui) == 64);
  for (const char* none : {"1.5", "many", ""}) {
    INFO(none);
    ui.click("Timeline/number##Max new tokens");
    ui.press(ImGuiKey_Backspace);
    ui.type(none);
    ui.press(ImGuiKey_Enter);
    CHECK(depth(ui) == 64);
    ui.press(ImGuiKey_Escape);
  }
}

TEST_CASE("fractions are typed with a point or a comma, and a name where the lowest number has one") {
  UiDriver ui;
  ui.click("Sampling");
  ui.click("number##Temperature");
  ui.type("0,85");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().decoding.stages.of(temperatureStage) == Approx(0.85f));
  ui.click("number##Top-k");
  ui.type("40");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().decoding.stages.of(topKStage) == 40);
  ui.click("number##Top-k");
  ui.type("off");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().decoding.stages.of(topKStage) == 0);
  CHECK(widgets::numberText(0.85f, {.decimals = 1}) == "0.85");
  CHECK(widgets::numberText(0.8f, {.decimals = 1}) == "0.8");
  CHECK(widgets::numberText(0, {.low = 0, .atLow = "off"}) == "off");
}

TEST_CASE("a button that is held goes on, faster and faster, and is one step of undo") {
  CHECK(widgets::stepsHeld(0) == 1);
  CHECK(widgets::stepsHeld(0.3f) == 1);
  CHECK(widgets::stepsHeld(2) - widgets::stepsHeld(1.5f) > widgets::stepsHeld(1) - widgets::stepsHeld(0.5f));
  UiDriver ui;
  const int states = ui.app().history().stateCount();
  ui.hover("Timeline/more##Max new tokens");
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  ui.app().frame(false);
  CHECK(depth(ui) == 7);
  for (int i = 0; i < 150; ++i) {
    CHECK((ui.app().restless() || depth(ui) == 64));  // the window draws on without another event
    ui.app().frame(false);
  }
  CHECK(depth(ui) == 64);
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  ui.settle();
  CHECK(ui.app().history().stateCount() == states + 1);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(depth(ui) == 6);
}

TEST_CASE("the wheel and dragging change a number, each at once undone") {
  UiDriver ui;
  ui.wheel("Timeline/number##Max new tokens", 3);
  CHECK(depth(ui) == 9);
  ui.drag("Timeline/number##Max new tokens", 80, 0);
  CHECK(depth(ui) > 20);
  CHECK_FALSE(ui.exists("Timeline/##number##Max new tokens"));  // it was no click
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(depth(ui) == 9);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(depth(ui) == 6);
  ui.drag("Timeline/number##Max new tokens", -500, 0);
  CHECK(depth(ui) == 1);
}

TEST_CASE("numbers are typed with the keyboard alone, in a dialog without doing what Enter does there") {
  UiDriver ui;
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  ui.click("PNG##format");
  ui.click("number##Scale");
  ui.type("3.5");
  ui.press(ImGuiKey_Escape);
  CHECK(ui.exists("Save##export"));
  ui.click("number##Scale");
  ui.type("3.5");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.exists("Save##export"));
  CHECK_FALSE(ui.exists("Copy path"));
  ui.press(ImGuiKey_Escape);
  while (ui.app().focus().name() != "Timeline/number##Beams") ui.press(ImGuiKey_Tab);
  ui.press(ImGuiKey_Enter);
  ui.type("7");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().decoding.beamWidth == 7);
  CHECK(ui.app().focus().name() == "Timeline/number##Beams");
}

TEST_CASE("a number of the model is set to any value that it can have, and says why not to another") {
  UiDriver ui;
  ui.press(ImGuiKey_M, ImGuiMod_Shift);
  ui.click("Sizes##section");
  ui.click("Layers##fieldn_layer");
  CHECK(ui.layoutFaults() == "");
  ui.click("number##Any other##n_layer");
  ui.type("5");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.snapshot().model->config->layers == 5);
  ui.click("Heads##fieldn_head");
  const int heads = ui.snapshot().model->config->heads;
  ui.click("number##Any other##n_head");
  ui.type("7");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.snapshot().model->config->heads == heads);
  CHECK_THAT(ui.tooltip(), ContainsSubstring("not 7: "));
  ui.screenshot("number_of_the_model");
}
