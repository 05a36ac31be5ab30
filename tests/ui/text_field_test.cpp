// What people know of text fields, in the real interface.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/text_edit.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options withText(std::string text, const UsualLook& look = usualLooks[0]) {
  UiDriver::Options options;
  options.width = look.width, options.height = look.height;
  options.workspace.look.dark = look.dark;
  options.workspace.text = std::move(text);
  return options;
}

std::string words(int count) {
  std::string text = "The";
  while (count-- > 1) text += " cat";
  return text;
}

}  // namespace

TEST_CASE("what lies beyond the context is marked, and said") {
  for (const UsualLook& look : usualLooks) {
    UiDriver ui(withText(words(200), look));
    const int context = ui.snapshot().model->config->context,
              beyond = static_cast<int>(ui.snapshot().pass->tokens.size()) - context;
    REQUIRE(beyond > 1);
    CHECK_THAT(ui.texts(), ContainsSubstring(std::to_string(beyond) + " tokens beyond the context of " +
                                             std::to_string(context)));
    ui.press(ImGuiKey_L, ImGuiMod_Ctrl);
    ui.press(ImGuiKey_End, ImGuiMod_Ctrl);
    ui.screenshot("text_beyond_context_" + look.name());
    CHECK(ui.layoutFaults() == "");
  }
  UiDriver ui(withText("The cat sat."));
  CHECK_THAT(ui.texts(), !ContainsSubstring("beyond the context"));
}

TEST_CASE("a right click in the text offers to cut, copy, paste and select all") {
  UiDriver ui(withText("The cat sat."));
  ui.rightClick("Text", 0.1f, 0.15f);
  ui.screenshot("text_menu");
  ui.click("Select all");
  ui.rightClick("Text", 0.1f, 0.15f);
  ui.click("Copy");
  CHECK(std::string(ImGui::GetClipboardText()) == "The cat sat.");
  CHECK(ui.workspace().text == "The cat sat.");
  ui.rightClick("Text", 0.1f, 0.15f);
  ui.click("Cut");
  CHECK(ui.workspace().text.empty());
  ui.rightClick("Text", 0.1f, 0.15f);
  ui.click("Paste");
  CHECK(ui.workspace().text == "The cat sat.");
  ui.rightClick("Text", 0.1f, 0.15f);
  ui.press(ImGuiKey_Escape);
  CHECK_FALSE(ui.exists("Paste"));
}

TEST_CASE("three clicks select the line") {
  UiDriver ui(withText("The cat sat.\nThe dog ran."));
  const ItemRecord field = ui.find("Text");
  for (int i = 0; i < 3; ++i) ui.click(field, 0.1f, 0.15f);
  ui.type("A bird.");
  CHECK(ui.workspace().text == "A bird.\nThe dog ran.");
}

TEST_CASE("a bar moves a text that is larger than its field") {
  UiDriver ui(withText(words(120)));
  ui.click("Text", 0.1f, 0.15f);
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  ui.screenshot("text_scroll_bar");
  const ItemRecord box = ui.find("Text");
  ui.drag(box, 0, 200, {0.99f, 0.1f});
  ui.click(box, 0.5f, 0.9f);
  ui.type("!");
  CHECK(ui.workspace().text.find('!') > ui.workspace().text.size() - 40);
}

TEST_CASE("a tab is shown as an arrow") {
  CHECK(displayable("a\tb") == "a→b");
  UiDriver ui(withText("The"));
  ImGui::SetClipboardText("\tcat");
  ui.press(ImGuiKey_L, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_End, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_V, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == "The\tcat");
  CHECK_THAT(ui.texts(), ContainsSubstring("The→cat"));
}

TEST_CASE("a new source empties the target that the model wrote, and leaves one that was typed") {
  UiDriver::Options options;
  options.loader = [](const std::string& name, const ProgressCallback&) {
    return ModelLibrary(std::filesystem::path(SOURCE_FOLDER) / "app").load(name);
  };
  options.models = {{"stories", ""}, {"translate", ""}};
  UiDriver ui(options);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("open model translate");
  ui.press(ImGuiKey_Enter);
  ui.settle();
  ui.screenshot("translate_opened");
  const auto giveSource = [&](const char* source) {
    ui.click("Source", 0.5f, 0.3f);
    ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
    ui.type(source);
    ui.press(ImGuiKey_Escape);
  };
  giveSource("People say that the dog sleeps.");
  CHECK(ui.workspace().text.empty());
  ui.click("Greedy");
  ui.click("Add token");
  ui.click("Add token");
  CHECK_THAT(ui.workspace().text, ContainsSubstring("Die Leute"));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  ui.click("Beam search");
  ui.click("Translate");
  CHECK_THAT(ui.workspace().text, ContainsSubstring("Man sagt, dass der Hund schläft."));
  giveSource("The dog sleeps.");
  CHECK(ui.workspace().text.empty());
  ui.click("Target", 0.5f, 0.3f);
  ui.type("Ein");
  giveSource("The cat sleeps.");
  CHECK(ui.workspace().text == "Ein");
}
