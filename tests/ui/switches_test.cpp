#include <catch2/catch_test_macros.hpp>

#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("a head is switched off by a key, shown as off, compared with on, and taken back") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.width = 1920, options.height = 1080;
    options.workspace.look.dark = dark;
    options.workspace.selection.layer = 1;
    UiDriver ui(options);
    ui.press(ImGuiKey_X);
    REQUIRE(ui.workspace().interventions.size() == 1);
    CHECK((*ui.snapshot().trace)["blocks.1.attn.hook_z"](2, 0, 0) == 0);
    ui.hover("head 1.0");
    CHECK(ui.app().hover().text.find("switched off") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(dark ? "switched_off_dark" : "switched_off_light");
    ui.press(ImGuiKey_D);  // with and without
    REQUIRE(ui.snapshot().difference);
    ui.press(ImGuiKey_3);
    CHECK(ui.layoutFaults().substr(0, 300) == "");
    ui.screenshot(dark ? "switched_off_difference_dark" : "switched_off_difference_light");
    ui.click("On again##0");
    CHECK(ui.workspace().interventions.empty());
    ui.click("Undo");
    CHECK(ui.workspace().interventions.size() == 1);
  }
}

TEST_CASE("what is off becomes a gain, and any number that is pointed at can be changed") {
  for (const int width : {1920, 1280}) {
    UiDriver::Options options;
    options.width = width, options.height = width == 1920 ? 1080 : 720;
    options.workspace.selection.layer = 1;
    UiDriver ui(options);
    const float before = (*ui.snapshot().trace)["blocks.1.attn.hook_z"](2, 0, 0);
    ui.press(ImGuiKey_X);
    ui.click("off##0");
    REQUIRE(ui.workspace().interventions[0].kind == InterventionKind::Scale);
    CHECK(std::abs((*ui.snapshot().trace)["blocks.1.attn.hook_z"](2, 0, 0) - before / 2) < 1e-6f);
    ui.click("more##gain##0");
    CHECK(ui.workspace().interventions[0].value == 0.6f);
    CHECK(ui.layoutFaults() == "");
    ui.click("×##0");
    CHECK(ui.workspace().interventions[0].kind == InterventionKind::Add);
    ui.click("+##0");
    CHECK(ui.workspace().interventions[0].kind == InterventionKind::Replace);
    ui.click("=##0");
    CHECK(ui.workspace().interventions[0].kind == InterventionKind::Zero);
    ui.press(ImGuiKey_X);
    CHECK(ui.workspace().interventions.empty());

    ui.hover("attention", 0.3f, 0.7f);
    REQUIRE(ui.app().hover().cell.tensor.ends_with("hook_pattern"));
    const TensorRef cell = ui.app().hover().cell;
    ui.press(ImGuiKey_N);
    REQUIRE(ui.workspace().interventions.size() == 1);
    ui.click("more##value##0");
    const Intervention& held = ui.workspace().interventions[0];
    CHECK(held.point == cell.tensor);
    CHECK((*ui.snapshot().trace)[cell.tensor].at(cell.index) == held.value);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("number_changed_" + std::to_string(width));
  }
}

TEST_CASE("parts are switched from the map and from the palette") {
  UiDriver ui;
  ui.click("Switch off");
  ui.type("MLP of block 1");
  ui.screenshot("switch_palette");
  ui.press(ImGuiKey_Enter);
  REQUIRE(ui.workspace().interventions.size() == 1);
  CHECK(ui.workspace().interventions[0].point == "blocks.1.hook_mlp_out");
  ui.press(ImGuiKey_X, ImGuiMod_Shift);
  CHECK(ui.workspace().interventions[1].point == "blocks.0.hook_attn_out");
  for (int i = 0; i < 4; ++i) ui.press(ImGuiKey_DownArrow), ui.press(ImGuiKey_X);
  CHECK(ui.workspace().interventions.size() == 6);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("switched_off_many");
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("everything on");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().interventions.empty());
}

TEST_CASE("Switch off lists what can be switched off, and nothing else") {
  UiDriver ui;
  ui.click("Switch off");
  const auto listed = [&] {
    std::vector<std::string> names;
    for (const ItemRecord& item : ui.items())
      if (item.window == "Palette" && item.label != "What to find") names.push_back(item.label);
    return names;
  };
  REQUIRE(listed().size() > 5);
  for (const std::string& name : listed()) CHECK(name.starts_with("Switch "));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("switch_off");
  ui.type("theme");
  CHECK(listed().empty());
}
