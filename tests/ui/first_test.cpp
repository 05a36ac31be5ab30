// The window of a first start: one picture that explains itself, and the ways on.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/shell/launch.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

UiDriver::Options firstStart(const UsualLook& look = usualLooks[0]) {
  UiDriver::Options options;
  options.width = look.width, options.height = look.height;
  options.workspace = welcome();
  options.workspace.look.dark = look.dark;
  options.loader = storiesModel;
  options.lessons = std::filesystem::path(SOURCE_FOLDER) / "assets" / "lessons";
  options.beginning = Beginning::FirstPicture;
  return options;
}

std::size_t controls(const UiDriver& ui) {
  return static_cast<std::size_t>(
      std::ranges::count_if(ui.items(), [](const ItemRecord& item) { return !item.isWindow; }));
}

}  // namespace

TEST_CASE("a first start shows one picture: what the last word attends to, and what comes next") {
  UiDriver ui(firstStart());
  CHECK(controls(ui) <= 15);
  CHECK_THAT(ui.texts(), ContainsSubstring("0.97") && ContainsSubstring("animal") &&
                             ContainsSubstring("98 %") &&
                             ContainsSubstring("the last “The” attends to “animal”"));
  ui.hover("arc");
  CHECK_THAT(ui.tooltip(), ContainsSubstring("0.9") && ContainsSubstring("blocks.2.attn.hook_pattern"));

  ui.click("wide");
  CHECK_THAT(ui.workspace().text, ContainsSubstring("too wide. What was too wide?"));
  CHECK_THAT(ui.texts(), ContainsSubstring("attends to “street”"));
  ui.screenshot("first_picture_wide");
  ui.click("tired");
  CHECK_THAT(ui.texts(), ContainsSubstring("attends to “animal”"));
}

TEST_CASE("the first picture fits each of the usual windows") {
  for (const UsualLook& look : usualLooks) {
    UiDriver ui(firstStart(look));
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("first_picture_" + look.name());
  }
}

TEST_CASE("from the first picture one goes on to the instrument") {
  UiDriver ui(firstStart());
  ui.click("Look closer");
  CHECK(ui.exists("attention"));
  CHECK_FALSE(ui.exists("Look closer"));
}

TEST_CASE("from the first picture one goes on to the lessons") {
  UiDriver ui(firstStart());
  ui.click("First picture/Lessons");
  CHECK_THAT(ui.texts(), ContainsSubstring("First five minutes"));
}

TEST_CASE("Esc leaves the first picture") {
  UiDriver ui(firstStart());
  ui.press(ImGuiKey_Escape);
  CHECK(ui.exists("attention"));
}

TEST_CASE("the instrument is quiet until more is asked for") {
  UiDriver::Options options = firstStart();
  options.beginning = Beginning::Instrument;
  options.allControls = false;
  UiDriver ui(options);
  const std::size_t quiet = controls(ui);
  for (const char* few : {"Constraints…", "Edit mask", "…", "Ablate", "more##Beams"})
    CHECK_FALSE(ui.exists(few));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("quiet_1280_dark");
  ui.click("All controls");
  for (const char* few : {"Constraints…", "Edit mask", "…", "Ablate", "more##Beams"}) CHECK(ui.exists(few));
  CHECK(controls(ui) > quiet + 10);
  ui.inEveryLook([&](const std::string&) { CHECK(ui.layoutFaults() == ""); });
  ui.screenshot("all_controls");
  ui.click("All controls");
  CHECK(controls(ui) == quiet);
}
