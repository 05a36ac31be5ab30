#include <catch2/catch_test_macros.hpp>

#include "app/panels/tour.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("the tour goes through six steps on the real interface, and back") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.tour = true;
    options.workspace.appearance.dark = dark;
    if (!dark) options.width = 1920, options.height = 1080;
    UiDriver ui(options);
    for (int i = 0; i < Tour::stepCount(); ++i) {
      INFO(i);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("tour_" + std::to_string(i) + (dark ? "_dark" : "_light"));
      if (i == 1) ui.click("Back##tour"), ui.click("Next##tour");
      ui.click(i + 1 < Tour::stepCount() ? "Next##tour" : "Done##tour");
    }
    CHECK_FALSE(ui.exists("Done##tour"));
  }
}

TEST_CASE("the tour leaves the interface usable, can be left and comes back") {
  UiDriver::Options options;
  options.tour = true;
  UiDriver ui(options);
  ui.click("Residual");
  CHECK(ui.workspace().view == "residual");
  CHECK(ui.exists("Next##tour"));
  ui.click("Skip##tour");
  CHECK_FALSE(ui.exists("Next##tour"));
  ui.press(ImGuiKey_F1, ImGuiMod_Shift);
  CHECK(ui.exists("Next##tour"));
  ui.press(ImGuiKey_Escape);
  CHECK_FALSE(ui.exists("Next##tour"));
}

TEST_CASE("the history lists what was done and goes there") {
  UiDriver ui;
  const std::string first = ui.workspace().text;
  ui.press(ImGuiKey_Space);
  ui.press(ImGuiKey_T, ImGuiMod_Ctrl);
  ui.type("Cat");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_H, ImGuiMod_Ctrl);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("history");
  ui.click("start##state0");
  CHECK(ui.workspace().text == first);
  CHECK(ui.workspace().tabCount() == 1);
  ui.click("typing##state3");
  CHECK(ui.workspace().text == "Cat");
  ui.click("Close##history");
  CHECK_FALSE(ui.exists("Close##history"));
}

TEST_CASE("a step of the tour opens what it speaks of") {
  UiDriver::Options options;
  options.tour = true;
  options.workspace.view = "landscape";
  options.workspace.settings.attention.layout = AttentionLayout::Arcs;
  {
    UiDriver ui(options);
    CHECK(ui.workspace().view == "landscape");
    ui.click("Next##tour");  // who looks at whom: rows and columns
    CHECK(ui.workspace().view == "attention");
    CHECK(ui.workspace().settings.attention.layout == AttentionLayout::Matrix);
    ui.click("Residual");
    ui.click("Next##tour");
    CHECK(ui.workspace().view == "residual");
    ui.click("Back##tour");
    CHECK(ui.workspace().view == "attention");
  }
  options.width = 900;  // the text is a drawer
  UiDriver narrow(options);
  CHECK(narrow.exists("Text"));
}
