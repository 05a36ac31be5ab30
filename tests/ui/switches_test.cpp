#include <catch2/catch_test_macros.hpp>

#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("a head is switched off by a key, shown as off, compared with on, and taken back") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.width = 1920, options.height = 1080;
    options.workspace.appearance.dark = dark;
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
