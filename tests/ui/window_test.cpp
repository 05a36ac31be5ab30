#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/session.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the window opens on a sentence with its tokens") {
  UiDriver ui({.width = 1920, .height = 1080});
  CHECK(ui.snapshot().text == initialWorkspace().text);
  CHECK(ui.snapshot().tokens.size() > 10);
  CHECK(ui.snapshot().hasTrace());
  ui.screenshot("start_1920");
}

TEST_CASE("typing changes the text and the trace follows; undo brings it back") {
  UiDriver ui;
  const auto before = ui.snapshot().trace;
  ui.click("Text", 0.9f, 0.9f);  // behind the last word
  ui.type(" größer ∞");
  CHECK(ui.workspace().text == initialWorkspace().text + " größer ∞");
  CHECK(ui.snapshot().text == ui.workspace().text);
  CHECK(ui.snapshot().trace != before);
  CHECK(ui.snapshot().trace->tokenCount() > before->tokenCount());
  ui.screenshot("typing");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == initialWorkspace().text);
  ui.click("Redo");
  CHECK_THAT(ui.workspace().text, ContainsSubstring("größer"));
}

TEST_CASE("select all, cut and paste work as everywhere") {
  UiDriver ui;
  ui.click("Text");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_X, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text.empty());
  CHECK_FALSE(ui.snapshot().hasTrace());
  ui.screenshot("empty_text");
  ui.press(ImGuiKey_V, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == initialWorkspace().text);
}

TEST_CASE("a hundred thousand characters are taken, and the model reads its context") {
  UiDriver ui;
  std::string text;
  while (text.size() < 100000) text += "The street was wide. ";
  ImGui::SetClipboardText(text.c_str());
  ui.click("Text");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_V, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == text);
  CHECK(ui.snapshot().trace->tokenCount() == ui.snapshot().config->context);
  ui.screenshot("long_text");
}

TEST_CASE("the layer stepper walks the forward pass by button, key and map") {
  UiDriver ui;
  ui.click("Next step");
  CHECK(ui.workspace().step == 1);
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.workspace().step == 2);
  ui.press(ImGuiKey_LeftArrow);
  CHECK(ui.workspace().step == 1);
  CHECK(ui.workspace().view == "step");
  ui.click("map 4");  // attention of block 0
  CHECK(ui.workspace().step == 4);
  for (int i = 0; i < 5; ++i) ui.press(ImGuiKey_RightArrow);
  CHECK(ui.workspace().step == 9);
  ui.screenshot("step_softmax");
}

TEST_CASE("pointing at a cell shows its value in the tooltip and lights up its tokens") {
  UiDriver ui;
  for (int i = 0; i < 9; ++i) ui.press(ImGuiKey_RightArrow);
  ui.hover("step tensor", 0.31f, 0.62f);
  const Target& target = ui.app().hover();
  const int count = ui.snapshot().trace->tokenCount();
  CHECK(target.query == static_cast<int>(0.62f * static_cast<float>(count)));
  CHECK(target.key == static_cast<int>(0.31f * static_cast<float>(count)));
  CHECK(target.cell.tensor == "blocks.0.attn.hook_pattern");
  ui.screenshot("hover_cell");
}

TEST_CASE("theme and zoom change at once and are remembered as appearance, not undone") {
  UiDriver ui;
  ui.click("Switch theme");
  CHECK_FALSE(ui.workspace().appearance.dark);
  ui.screenshot("light");
  ui.click("Larger");
  ui.click("Larger");
  CHECK(ui.workspace().appearance.zoom == Approx(1.25f));
  CHECK_FALSE(ui.app().history().canUndo());
  ui.screenshot("light_zoomed");
}

TEST_CASE("regions are resized by their edges") {
  UiDriver ui;
  const float before = ui.workspace().appearance.leftWidth;
  ui.drag("Left edge", 60, 0);
  CHECK(ui.workspace().appearance.leftWidth == Approx(before + 60).margin(2));
  ui.drag("Left edge", -5000, 0);
  CHECK(ui.workspace().appearance.leftWidth >= 200);
}

TEST_CASE("a model that cannot be read is a message, and the text stays") {
  UiDriver ui({.loader = [](const std::string&, const Watch&) -> Result<LoadedModel> {
    return Error{"no model of that name", "stories", "build it with: glassformer train stories"};
  }});
  CHECK_FALSE(ui.snapshot().config);
  CHECK_THAT(ui.snapshot().error, ContainsSubstring("no model of that name"));
  CHECK(ui.workspace().text == initialWorkspace().text);
  ui.screenshot("no_model");
}

TEST_CASE("a message can be dismissed") {
  UiDriver ui({.message = "The last session could not be read"});
  ui.screenshot("message");
  ui.click("Dismiss");
  CHECK(ui.app().message().empty());
}

TEST_CASE("at rest no further frame is due") {
  UiDriver ui;
  ui.settle();
  CHECK_FALSE(ui.app().restless());
}

TEST_CASE("in a narrow window the inspector is a drawer") {
  UiDriver ui({.width = 1100, .height = 720});
  ui.press(ImGuiKey_RightArrow);
  CHECK_FALSE(ui.app().history().current().appearance.inspectorOpen);
  ui.click("Top bar/Inspector");
  CHECK(ui.workspace().appearance.inspectorOpen);
  ui.hover("step tensor", 0.2f, 0.5f);
  ui.screenshot("drawer");
  ui.click("Top bar/Inspector");
  CHECK_FALSE(ui.workspace().appearance.inspectorOpen);
}

TEST_CASE("the session is written down and restored") {
  const auto file = std::filesystem::temp_directory_path() / "glassformer-ui-session" / "session.json";
  std::filesystem::remove_all(file.parent_path());
  {
    UiDriver ui({.session = file});
    ui.click("Text", 0.9f, 0.9f);
    ui.type(" Hi");
    ui.click("Switch theme");
  }
  const RestoredSession restored = restoreSession(file);
  CHECK(restored.workspace.text == initialWorkspace().text + " Hi");
  CHECK_FALSE(restored.workspace.appearance.dark);
  std::filesystem::remove_all(file.parent_path());
}

TEST_CASE("what is pressed and let go between two frames is seen to the end without another event") {
  UiDriver ui;
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.frames();
  REQUIRE(ui.exists("What to find"));
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Escape, false);
  ui.app().frame();
  for (int i = 0; i < 10 && ui.app().restless(); ++i) ui.app().frame();  // as the window does
  CHECK(!ImGui::IsKeyDown(ImGuiKey_Escape));
  CHECK(!ui.exists("What to find"));
}
