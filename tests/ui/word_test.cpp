// One word's attention, row by row, in the real interface.
#include <catch2/catch_test_macros.hpp>

#include "app/document/word_settings.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

UiDriver::Options oneWord() {
  UiDriver::Options options;
  options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "word";
  options.loader = storiesModel;
  options.workspace.selection.layer = 2;
  return options;
}

std::string row(const UiDriver& ui) { return std::string(ui.workspace().settings.chosen(wordRowChoice)); }

}  // namespace

TEST_CASE("one word in two sizes and both themes, whole and step by step") {
  UiDriver ui(oneWord());
  for (const char* rows : {"All rows", "Step by step"}) {
    ui.click(rows);
    ui.inEveryLook([&](const std::string& look) {
      ui.hover("Stage view", 0.01f, 0.97f);
      INFO(rows << " " << look);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
      CHECK_FALSE(ui.scrolls());
      ui.screenshot("word_" + std::string(rows) + "_" + look);
    });
  }
}

TEST_CASE("the arrow keys show one row more or less while the pointer is on the picture") {
  UiDriver ui(oneWord());
  ui.click("Step by step");
  CHECK(row(ui) == "0");
  ui.press(ImGuiKey_RightArrow);
  ui.press(ImGuiKey_RightArrow);
  CHECK(row(ui) == "2");
  ui.hover("keys");
  ui.press(ImGuiKey_LeftArrow);
  CHECK(row(ui) == "1");
  CHECK(ui.workspace().view == "attention");
  for (int i = 0; i < 30; ++i) ui.press(ImGuiKey_RightArrow);
  CHECK(ui.exists("stream"));
  ui.screenshot("word_last_row");
  // Shown at once, the arrows go through the model's steps as everywhere.
  ui.click("All rows");
  ui.hover("products");
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.workspace().view == "step");
}

TEST_CASE("a click on a word asks for its attention, one on a number for where it comes from") {
  UiDriver ui(oneWord());
  ui.click("word 3");
  CHECK(ui.workspace().selection.query == 3);
  ui.hover("weights", 0.05f, 0.5f);
  CHECK(ui.app().hover().cell.tensor == "blocks.2.attn.hook_pattern");
  CHECK(ui.app().hover().query == 3);
  ui.screenshot("word_hovered");
  ui.click("weighted", 0.05f, 0.5f);
  CHECK(ui.exists("Why/Close##why"));
}
