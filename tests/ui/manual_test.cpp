// The manual in the window: F1 opens it at what is in focus.
#include <catch2/catch_test_macros.hpp>

#include "app/engine/model_library.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

UiDriver::Options withManual(const char* view = "attention", const char* picture = "matrix") {
  static const ModelLibrary models{SOURCE_FOLDER "/app"};
  UiDriver::Options options;
  options.workspace.view = view, options.workspace.settings.pictures[view] = picture;
  options.lessons = SOURCE_FOLDER "/assets/lessons";
  options.loader = [](const std::string& name, const ProgressCallback& watch) {
    return models.load(name, watch);
  };
  return options;
}

// Words of the manual are drawn one by one.
bool shows(UiDriver& ui, std::string words) {
  std::ranges::replace(words, ' ', '\n');
  return ui.texts().find(words) != std::string::npos;
}

// Whether F1 shows these words, and Esc closes the manual alone.
void checkF1(UiDriver& ui, const std::string& words, const char* below = nullptr) {
  INFO(words);
  ui.press(ImGuiKey_F1);
  REQUIRE(ui.exists("Close##manual"));
  CHECK(shows(ui, words));
  ui.press(ImGuiKey_Escape);
  CHECK_FALSE(ui.exists("Close##manual"));
  if (below) CHECK(ui.exists(below));
}

}  // namespace

TEST_CASE("F1 opens the manual at the picture on the canvas") {
  struct Case {
    const char *view, *picture, *words;
  };
  for (const Case& c : {Case{"attention", "arcs", "One arc per attention weight"},
                        {"influence", "patch", "takes one activation from the compared text"},
                        {"step", "slips", "Products with unequal inner sizes"}}) {
    UiDriver ui(withManual(c.view, c.picture));
    checkF1(ui, c.words);
  }
}

TEST_CASE("F1 opens the manual at the panel that is open, and Esc leads back to it") {
  const TemporaryFolder folder;
  UiDriver::Options options = withManual();
  options.runs = folder.path();
  UiDriver ui(options);
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  checkF1(ui, "opens the set-up. Choose a task,");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_O, ImGuiMod_Shift);
  checkF1(ui, "lists the models, their purpose", "Close##library");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  checkF1(ui, "exports the picture as SVG,");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_M, ImGuiMod_Shift);
  checkF1(ui, "lists every choice with its equation", "Close##model");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_L, ImGuiMod_Shift);
  checkF1(ui, "lists fourteen lessons", "Close##lessons");
}

TEST_CASE("F1 at a first start opens the first page, and while one writes the picture's") {
  {
    UiDriver::Options options = withManual();
    options.beginning = Beginning::FirstPicture;
    UiDriver ui(options);
    checkF1(ui, "displays every number that it computes.");
  }
  UiDriver ui(withManual("tokens", "merges"));
  ui.press(ImGuiKey_L, ImGuiMod_Ctrl);
  ui.type("cat");
  checkF1(ui, "The table lists ids and bytes.");
}

TEST_CASE("F1 in a lecture opens the page about lectures") {
  UiDriver::Options options = withManual();
  options.lesson = "lecture_language_processing";
  UiDriver ui(options);
  checkF1(ui, "starts a presentation, and");
  ui.press(ImGuiKey_F5);
  checkF1(ui, "starts a presentation, and");
}

TEST_CASE("pages of the manual lead to each other, scroll, and open what a picture shows") {
  UiDriver ui(withManual());
  ui.press(ImGuiKey_F1);
  ui.click("The command line##manual page");
  CHECK(shows(ui, "without a command opens the window."));
  ui.press(ImGuiKey_End);
  ui.click("10_figures.md##link 0");
  CHECK(shows(ui, "exports the picture as SVG,"));
  ui.press(ImGuiKey_RightArrow), ui.press(ImGuiKey_LeftArrow), ui.press(ImGuiKey_LeftArrow);
  CHECK(shows(ui, "lists the models, their purpose"));
  ui.press(ImGuiKey_PageDown);
  CHECK_FALSE(shows(ui, "lists the models, their purpose"));
  ui.press(ImGuiKey_PageUp);
  CHECK(shows(ui, "lists the models, their purpose"));

  ui.click("The residual stream##manual page");
  ui.click("norms##manual picture");
  CHECK_FALSE(ui.exists("Close##manual"));
  CHECK(ui.workspace().view == "residual");
  CHECK(ui.workspace().settings.pictures.at("residual") == "norms");

  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("manual positions");
  ui.press(ImGuiKey_Enter);
  CHECK(shows(ui, "knows the order of its tokens."));
}

TEST_CASE("the manual can be read in every look and in a presentation") {
  for (const UsualLook& look : usualLooks) {
    UiDriver::Options options = withManual();
    options.width = look.width, options.height = look.height;
    options.workspace.look.dark = look.dark;
    UiDriver ui(options);
    ui.press(ImGuiKey_F1);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("manual_" + look.name());
    ui.click("Training##manual page");
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("manual_training_" + look.name());
    ui.press(ImGuiKey_Escape);
    ui.press(ImGuiKey_F5);
    ui.press(ImGuiKey_F1);
    CHECK(ui.layoutFaults() == "");
    CHECK(ui.textsBelow(18) == "");
    ui.screenshot("manual_presented_" + look.name());
  }
}
