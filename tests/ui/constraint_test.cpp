// What the continuation has to be, said in the window.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <regex>

#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options stories(int width, int height, bool dark, DecodingStrategy strategy) {
  UiDriver::Options options{.width = width, .height = height, .loader = storiesModel};
  options.workspace.text = "The dog was";
  options.workspace.view = "next_token", options.workspace.settings.pictures["next_token"] = "sampling";
  options.workspace.decoding.strategy = strategy, options.workspace.decoding.depth = 12;
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  return options;
}

std::string continuationIn(const UiDriver& ui) {
  return ui.snapshot().model->bytesOf(ui.snapshot().decoded->continuation);
}

}  // namespace

TEST_CASE("what is typed as a pattern holds for every strategy at once, and undo lifts it") {
  for (const DecodingStrategy strategy :
       {DecodingStrategy::Greedy, DecodingStrategy::Sampling, DecodingStrategy::Beam}) {
    UiDriver ui(stories(1280, 720, true, strategy));
    const std::string free = continuationIn(ui);
    ui.click("Constraints…");
    ui.type("old and (tired|hungry)\\.");
    INFO(nameOf(strategy) << ": " << continuationIn(ui));
    CHECK(std::regex_match(continuationIn(ui), std::regex(" ?old and (tired|hungry)\\.")));
    ui.press(ImGuiKey_Escape);
    REQUIRE_FALSE(ui.exists("Constraint/Pattern"));
    // Step by step the text goes on to where it matches, and there it ends.
    for (int step = 0; step < 10 && ui.find("Add token").disabled == false; ++step) ui.press(ImGuiKey_Space);
    CHECK(std::regex_match(ui.workspace().text, std::regex("The dog was old and (tired|hungry)\\.")));
    const ItemRecord step = ui.find("Add token");
    ImGui::GetIO().AddMousePosEvent(step.min.x + 5, step.min.y + 5);
    ui.settle();
    CHECK_THAT(ui.tooltip(), ContainsSubstring("the constraint allows no token"));
    while (!ui.workspace().decoding.constraint.isOff()) ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    CHECK(ui.workspace().text == "The dog was");
    CHECK(continuationIn(ui) == free);
  }
}

TEST_CASE("the panel shows what a constraint leaves; tokens are banned by a click, there and in the stages") {
  for (const auto& [width, height, dark] : usualLooks) {
    UiDriver ui(stories(width, height, dark, DecodingStrategy::Sampling));
    const std::string look = "_" + std::to_string(width) + (dark ? "_dark" : "_light");
    ui.press(ImGuiKey_C, ImGuiMod_Shift);
    const std::vector<ItemRecord> items = ui.items();
    const std::string first = std::ranges::find_if(items, [](const ItemRecord& item) {
                                return item.window == "Constraint" && item.label.starts_with("next ");
                              })->label;
    ui.click("Constraint/" + first);
    CHECK(ui.workspace().decoding.constraint.banned.size() == 1);
    CHECK_THAT(ui.texts(), ContainsSubstring("banned"));
    CHECK_THAT(ui.texts(), ContainsSubstring("1023 of 1024 tokens"));
    ui.click("Constraint/Pattern");
    ui.type("(so|very) \\w+");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("constraint_panel" + look);
    ui.click("Constraint/Done");
    CHECK(std::regex_search(continuationIn(ui), std::regex("^ ?(so|very) ")));
    ui.hover("stage constraint");
    CHECK_THAT(ui.tooltip(), ContainsSubstring("(so|very) \\w+, 1 banned"));
    CHECK_THAT(ui.tooltip(), ContainsSubstring("click to remove it"));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("constraint_stage" + look);
    ui.click("stage constraint");
    CHECK(ui.workspace().decoding.constraint.isOff());
    const std::string likeliest = "candidate " + first.substr(5);
    ui.click(likeliest);
    ui.click("Candidate menu/Ban");
    CHECK(ui.workspace().decoding.constraint.banned.size() == 1);
    ui.click(likeliest);
    ui.click("Candidate menu/Allow");
    CHECK(ui.workspace().decoding.constraint.isOff());
  }
}

TEST_CASE("all that is banned is listed, and a press allows it again") {
  UiDriver::Options options = stories(1280, 720, true, DecodingStrategy::Sampling);
  for (int token = 300; token < 340; ++token) options.workspace.decoding.constraint.banned.push_back(token);
  UiDriver ui(options);
  ui.press(ImGuiKey_C, ImGuiMod_Shift);
  CHECK_THAT(ui.texts(), ContainsSubstring("BANNED"));
  CHECK_THAT(ui.texts(), ContainsSubstring(" more"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("constraint_banned");
  const std::string first = ui.snapshot().model->entryLabel(300);
  ui.click("Constraint/" + first + " ×##banned300");
  CHECK(std::ranges::count(ui.workspace().decoding.constraint.banned, 300) == 0);
  CHECK(ui.workspace().decoding.constraint.banned.size() == 39);
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().decoding.constraint.banned.size() == 40);
}

TEST_CASE("a pattern that is none is said to be, and the last good one holds") {
  UiDriver ui(stories(1280, 720, true, DecodingStrategy::Greedy));
  ui.click("Constraints…");
  ui.type("(old");
  CHECK(ui.workspace().decoding.constraint.isOff());
  CHECK_THAT(ui.texts(), ContainsSubstring("is not a regular expression"));
  CHECK(ui.layoutFaults() == "");
  ui.type("|red)");
  CHECK_THAT(ui.texts(), ContainsSubstring("Matched against the text after “The dog was”"));
  CHECK_THAT(ui.texts(), ContainsSubstring("next o or r"));
  CHECK(ui.workspace().decoding.constraint.pattern == "(old|red)");
  CHECK(ui.workspace().decoding.constraint.behind == "The dog was");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_Space, ImGuiMod_Shift);
  ui.press(ImGuiKey_C, ImGuiMod_Shift);  // the end of the text is left
  CHECK_THAT(ui.texts(), ContainsSubstring("1 of 1024 tokens"));
  ui.click("Anchor here");
  CHECK(ui.workspace().decoding.constraint.behind == ui.workspace().text);
  ui.click("Remove");
  CHECK(ui.workspace().decoding.constraint.isOff());
  CHECK(ui.find("Constraint/Remove").disabled);
}
