#include <catch2/catch_test_macros.hpp>

#include "app/views/views.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

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
