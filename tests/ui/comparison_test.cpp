#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/document/view_commands.h"
#include "app/views/stage.h"
#include "app/views/views.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

UiDriver::Options twoTexts(int width = 1920, int height = 1080, bool dark = true) {
  UiDriver::Options options;
  options.width = width, options.height = height;
  options.workspace.look.dark = dark;
  options.workspace.text = "The animal was too tired.";
  options.workspace.aside = {"The street was too wide."};
  return options;
}

}  // namespace

TEST_CASE("texts open beside each other, switch and close") {
  UiDriver ui;
  const std::string first = ui.workspace().text;
  ui.click("New tab");
  CHECK(ui.workspace().tabCount() == 2);
  CHECK(ui.workspace().text.empty());
  ui.type("The cat sat.");  // the keyboard is in the new text
  CHECK(ui.workspace().text == "The cat sat.");
  ui.screenshot("tabs");
  ui.press(ImGuiKey_Tab, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == first);
  CHECK(ui.snapshot().pass->text == first);
  ui.click("2  The cat sat.");
  CHECK(ui.workspace().tab == 1);
  ui.click("Close tab");
  CHECK(ui.workspace().tabCount() == 1);
  CHECK(ui.workspace().text == first);
  ui.click("Undo");
  CHECK(ui.workspace().tabCount() == 2);
  CHECK(ui.workspace().text == "The cat sat.");
}

TEST_CASE("many texts keep their places") {
  UiDriver::Options options;
  for (int i = 0; i < 9; ++i) options.workspace.aside.push_back("Text number " + std::to_string(i));
  UiDriver ui(options);
  for (int i = 0; i < 9; ++i) ui.press(ImGuiKey_PageDown, ImGuiMod_Ctrl);
  CHECK(ui.workspace().tab == 9);
  CHECK(ui.workspace().text == "Text number 8");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("tabs_many");
}

TEST_CASE("two texts stand side by side in every view") {
  UiDriver ui(twoTexts());
  ui.click("Compare");
  CHECK(ui.workspace().comparison.with == Compared(OtherText{1}));
  REQUIRE(ui.snapshot().other);
  for (const View& view : views()) {
    ui.press(keyOfView(static_cast<int>(&view - views().data())));
    CHECK(ui.exists("Other view"));
    INFO(view.id);
    CHECK(ui.layoutFaults().substr(0, 300) == "");
    ui.screenshot("compared_" + std::string(view.id));
  }
  ui.click("Compare");
  CHECK_FALSE(ui.exists("Other view"));
}

TEST_CASE("state and gradients of two texts are seen as a whole on a small screen") {
  for (const auto& [view, picture] : {std::pair{"step", "state"}, {"influence", "gradients"}})
    for (const bool dark : {true, false})
      for (const ComparisonMode as : {ComparisonMode::SideBySide, ComparisonMode::Difference}) {
        UiDriver::Options options = twoTexts(1280, 720, dark);
        options.workspace.view = view;
        options.workspace.comparison = {OtherText{1}, as};
        commands::choosePicture(view, picture).apply(options.workspace);
        if (view == std::string("step")) options.workspace.changes = {{"attention_kernel", "linear"}};
        UiDriver ui(options);
        const std::string name = std::string(picture) + (dark ? "_dark" : "_light") +
                                 (as == ComparisonMode::Difference ? "_difference" : "_beside");
        INFO(name);
        CHECK(ui.exists("Other view") == (as == ComparisonMode::SideBySide));
        ui.screenshot("compared_" + name);
        CHECK(ui.layoutFaults() == "");
        CHECK_FALSE(ui.scrolls());
      }
}

TEST_CASE("pointing into the other text says its numbers, at the corresponding token") {
  UiDriver ui(twoTexts());
  ui.press(ImGuiKey_C);
  ui.press(ImGuiKey_6);
  ui.hover("Other view", 0.4f, 0.25f);
  const Target target = ui.app().hover();
  CHECK(target.source == Target::Source::Other);
  CHECK_FALSE(target.cell.empty());
  ui.screenshot("compared_pointed");
}

TEST_CASE("the difference of two texts is a picture of its own") {
  for (const bool dark : {true, false}) {
    UiDriver ui(twoTexts(1280, 720, dark));
    ui.press(ImGuiKey_D);
    CHECK(ui.workspace().comparison.mode == ComparisonMode::Difference);
    REQUIRE(ui.snapshot().difference);
    for (const View& view : views()) {
      ui.press(keyOfView(static_cast<int>(&view - views().data())));
      INFO(view.id);
      CHECK(ui.exists("Other view") == !asksForDifference(ui.workspace()));
      ui.screenshot("difference_" + std::string(view.id) + (dark ? "_dark" : "_light"));
    }
  }
}

TEST_CASE("a line that says what a side is keeps both ends, and says all of it to the pointer") {
  UiDriver::Options options = twoTexts(1280, 720);
  options.workspace.text =
      "The animal didn't cross the street because it was too tired, and so it went to sleep.";
  UiDriver ui(options);
  ui.press(ImGuiKey_C);
  CHECK(ui.texts().find("to sleep.\n") != std::string::npos);
  CHECK(ui.texts().find(options.workspace.text + "\n") == std::string::npos);
  const ItemRecord side = ui.find("Stage view");
  ui.hover(side, 0.5f, -0.02f);
  CHECK(ui.tooltip().find("and so it") != std::string::npos);
}

namespace {

std::string shownPictureOf(const UiDriver& ui) {
  return viewOf(ui.workspace().view).picture(ui.workspace().settings).label;
}

}  // namespace

TEST_CASE("Difference is lit where it is drawn, and is not offered where a picture has none") {
  UiDriver ui(twoTexts());
  ui.press(ImGuiKey_D);
  const auto holds = [&](bool isThere) {
    CHECK(ui.exists("Other view") == !isThere);
    CHECK(ui.find("Difference").disabled == !isThere);
    CHECK(ui.find("Difference").checked == isThere);
  };
  holds(true);
  const auto choose = [&](const char* picture) {  // above both, folded where there is no room
    if (!ui.exists(picture)) ui.click(shownPictureOf(ui) + " ▾##group 0");
    ui.click(picture);
  };
  choose("Softmax");
  holds(false);
  choose("Arcs");
  holds(true);
  choose("One word");
  holds(false);
  ui.press(ImGuiKey_D);  // waits for a picture that has one
  CHECK(ui.workspace().comparison.mode == ComparisonMode::Difference);
}

TEST_CASE("a third text can be chosen to compare with") {
  UiDriver::Options options = twoTexts();
  options.workspace.aside.push_back("The third one.");
  UiDriver ui(options);
  ui.click("Compare");
  ui.click("with 2");
  CHECK(ui.workspace().comparison.with == Compared(OtherText{2}));
  CHECK(ui.snapshot().other->pass->text == "The third one.");
  ui.click("with 3");
  CHECK(ui.workspace().comparison.with == Compared(OtherText{1}));
}

TEST_CASE("C compares a changed model with the one as loaded first, and the title says what was changed") {
  UiDriver ui;
  ui.click("New tab");
  ui.type("The dog sang.");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_M, ImGuiMod_Shift);
  ui.click("Norm placement##fieldnorm_placement");
  ui.click("None##norm_placementnone");
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_C);
  CHECK(ui.workspace().comparison.with == Comparison::asLoaded);
  const auto parts = stagePanes(ui.workspace(), ui.snapshot(), {0, 0, 800, 600});
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].words == "Norm placement: None");
  CHECK(parts[1].words == "as loaded");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("compare_changed_model");
}

namespace {

int timesIn(const std::string& all, const std::string& some) {
  int times = 0;
  for (std::size_t at = all.find(some); at != std::string::npos; at = all.find(some, at + 1)) ++times;
  return times;
}

struct ComparedPicture {
  const char *view, *picture, *choice;
};
constexpr ComparedPicture comparedPictures[] = {
    {"attention", "matrix", "Pattern"}, {"attention", "arcs", "Pattern"},
    {"residual", "norms", "Norm"},      {"next_token", "distribution", "Distribution"},
    {"beam", "search", "Bars"},         {"positions", "encoding", "Encoding"},
    {"step", "equation", "Equation"},
};

}  // namespace

TEST_CASE("two pictures share one heading and one row of choices, each with a line that says what it is") {
  for (const ComparedPicture& each : comparedPictures) {
    UiDriver::Options options = twoTexts(1280, 720);
    options.workspace.text = "The animal didn't cross the street because it was too tired.";
    options.workspace.aside = {"The animal didn't cross the street because it was too wide."};
    options.workspace.comparison = {OtherText{1}, ComparisonMode::SideBySide};
    commands::choosePicture(each.view, each.picture).apply(options.workspace);
    UiDriver ui(options);
    ui.inEveryLook([&](const std::string& look) {
      INFO(each.view << " " << each.picture << " " << look);
      ui.screenshot("beside_" + std::string(each.view) + "_" + each.picture + "_" + look);
      REQUIRE(ui.exists("Other view"));
      const std::string texts = ui.texts();
      const auto items = ui.items();
      CHECK(std::ranges::count_if(items, [&](const ItemRecord& item) {
              return item.window == "Stage" &&
                     (item.label == each.choice + std::string("##choice") ||
                      item.label.starts_with(each.choice + std::string(" ▾##group")));
            }) == 1);
      const int times = each.view == std::string("beam") ? 2 : 1;  // the tree says how it goes on
      CHECK(timesIn(texts, "it was too tired.") == times);
      CHECK(timesIn(texts, "it was too wide.") == times);
      CHECK(ui.layoutFaults().substr(0, 400) == "");
    });
  }
}
