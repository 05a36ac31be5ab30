// Texts that are kept, and how decoding goes on, as one tree in the window.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/engine/branch_paths.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

UiDriver::Options branching(int width, int height, bool dark) {
  UiDriver::Options options{.width = width, .height = height, .loader = storiesModel};
  options.workspace.text = "Once there was a";
  options.workspace.view = "beam", options.workspace.settings.pictures["beam"] = "branches";
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  return options;
}

}  // namespace

TEST_CASE("texts are kept, named, coloured, taken, opened in tabs, compared and dropped") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver ui(branching(width, height, dark));
    const std::string look = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    ui.screenshot("branches_none" + look);
    CHECK(ui.layoutFaults() == "");
    // The open text, and how it goes on.
    REQUIRE(ui.exists("path of The text"));
    REQUIRE(ui.exists("path of Greedy"));
    REQUIRE(ui.exists("path of Beam 3"));
    CHECK_FALSE(ui.exists("dropping of A"));
    ui.press(ImGuiKey_K, ImGuiMod_Shift);
    REQUIRE(ui.workspace().branches.size() == 1);
    CHECK(ui.workspace().branches[0] == Branch{"A", {"Once there was a"}, 1});
    ui.click("path of Greedy");
    CHECK(ui.workspace().text.size() > std::string("Once there was a").size());
    const std::string greedy = ui.workspace().text;
    ui.click("Save");
    REQUIRE(ui.workspace().branches.size() == 2);
    CHECK(ui.workspace().branches[1].writing.text == greedy);
    CHECK(ui.workspace().branches[1].color == 2);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Y, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_Y, ImGuiMod_Ctrl);
    CHECK(ui.workspace().branches.size() == 2);
    ui.click("path of A");
    CHECK(ui.workspace().text == "Once there was a");
    ui.click("keeping of Beam 1");
    REQUIRE(ui.workspace().branches.size() == 3);
    ui.click("Samples");
    ui.settle();
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("branches" + look);

    ui.press(ImGuiKey_B, ImGuiMod_Shift);
    ui.click("Branches/Name##1");
    ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
    ui.type("what greedy says");
    CHECK(ui.workspace().branches[1].name == "what greedy says");
    ui.click("Branches/Color##1");
    CHECK(ui.workspace().branches[1].color == 3);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("branches_panel" + look);
    ui.click("Branches/Compare##1");
    CHECK(ui.workspace().tabCount() == 2);
    CHECK(ui.workspace().textOfTab(1) == greedy);
    CHECK(ui.workspace().comparison.otherTab() == 1);
    ui.press(ImGuiKey_C);  // no longer compared
    ui.click("dropping of what greedy says");
    CHECK(ui.workspace().branches.size() == 2);
    ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().branches[1].name == "what greedy says");
  }
}

TEST_CASE("a branch that begins otherwise is said to") {
  UiDriver::Options options = branching(1280, 720, true);
  options.workspace.branches = {{"A", {"Nothing like it"}, 0}};
  UiDriver ui(options);
  CHECK(ui.exists("path of The text"));
  CHECK_FALSE(ui.exists("path of A"));
  CHECK(ui.texts().find("1 has another beginning") != std::string::npos);
}
