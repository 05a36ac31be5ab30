#include <catch2/catch_test_macros.hpp>

#include "app/panels/tour.h"
#include "app/views/views.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("the tour goes through six steps on the real interface, and back") {
  for (const bool dark : {true, false}) {
    UiDriver::Options options;
    options.tour = true;
    options.workspace.look.dark = dark;
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
  options.workspace.settings.pictures["attention"] = "arcs";
  {
    UiDriver ui(options);
    CHECK(ui.workspace().view == "landscape");
    ui.click("Next##tour");  // who looks at whom: rows and columns
    CHECK(ui.workspace().view == "attention");
    CHECK(ui.workspace().settings.pictures.at("attention") == "matrix");
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

// Whatever the tour says is done here, sentence by sentence.
TEST_CASE("what the tour says is so") {
  UiDriver ui({.width = 1920, .height = 1080});
  const auto says = [](int step, const std::string& sentence) {
    INFO(sentence);
    CHECK(std::string(Tour::words(step)).find(sentence) != std::string::npos);
  };

  says(0, "Type, or change a word: every picture follows with every key.");
  const int before = ui.snapshot().trace->tokenCount();
  ui.click("Text", 0.5f, 0.5f);
  for (const char* key : {" ", "c", "a", "t"}) {
    ui.type(key);
    CHECK(ui.snapshot().text == ui.workspace().text);
  }
  CHECK(ui.snapshot().trace->tokenCount() > before);
  ui.press(ImGuiKey_Escape);

  says(1, "A row is a token that looks, a column one that is looked at.");
  says(1, "Point at a cell: its number, and where that comes from, stands on the right.");
  says(1, "The small pictures are all the heads.");
  const ModelConfig& config = *ui.snapshot().config;
  for (int layer = 0; layer < config.layers; ++layer)
    for (int head = 0; head < config.heads; ++head)
      CHECK(ui.exists("head " + std::to_string(layer) + "." + std::to_string(head)));
  const int last = ui.snapshot().trace->tokenCount() - 1;
  ui.hover("attention", 0.5f / static_cast<float>(last + 1), 1 - 0.5f / static_cast<float>(last + 1));
  const Target cell = ui.app().hover();
  CHECK(cell.query == last);
  CHECK(cell.key == 0);

  says(2, "The number keys switch between them.");
  for (std::size_t i = 0; i < 5; ++i) {
    ui.press(keyOfView(static_cast<int>(i)));
    CHECK(ui.workspace().view == views()[i].id);
  }

  says(3, "Click a box, or press → and ←, and the stage shows that tensor with its equation.");
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.workspace().view == "step");
  const int step = ui.step();
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.step() == step + 1);
  ui.press(ImGuiKey_LeftArrow);
  CHECK(ui.step() == step);

  says(4, "Space appends one token; undo takes it back.");
  const std::string text = ui.workspace().text;
  const int tokens = ui.snapshot().trace->tokenCount();
  ui.press(ImGuiKey_Space);
  CHECK(ui.snapshot().trace->tokenCount() == tokens + 1);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == text);

  says(5,
       "Ctrl P finds every view, head and action. A question mark shows all keys, F5 presents to a lecture "
       "hall. "
       "This tour is in the list too.");
  ui.type("?");
  CHECK(ui.exists("Close##keys"));
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_1);
  ui.press(ImGuiKey_F5);
  CHECK_FALSE(ui.exists("Text"));
  CHECK(ui.exists("attention"));
  ui.press(ImGuiKey_F5);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("tour");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.exists("Next##tour"));
}
