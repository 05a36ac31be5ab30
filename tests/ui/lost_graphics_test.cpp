// A graphics card that was reset, or a driver that was replaced: nothing that was on it is there any more.
#include <catch2/catch_test_macros.hpp>

#include "tests/ui/ui_driver.h"

using namespace glassformer;

TEST_CASE("after the graphics card has lost everything, every view is what it was, bit for bit") {
  for (const auto& [view, dark] : {std::pair{"attention", true}, {"residual", false}, {"influence", true}}) {
    UiDriver::Options options;
    options.workspace.view = view, options.workspace.look.dark = dark;
    UiDriver other(options);
    other.settle();
    const auto before = other.pixels();
    REQUIRE(other.app().renewGraphics());
    INFO(view);
    CHECK(other.app().restless());  // drawn anew without waiting for an event
    CHECK((other.pixels() == before));
    other.press(ImGuiKey_2), other.press(ImGuiKey_1);  // and it goes on from there
    CHECK(other.workspace().view == "attention");
  }
}

TEST_CASE("a presentation goes on when the graphics card has lost everything, with the speaker's window") {
  UiDriver::Options options;
  options.workspace.look.speaker = true;
  UiDriver ui(options);
  ui.press(ImGuiKey_F5);
  REQUIRE(ui.app().speaker());
  ui.frames(3);
  const auto before = ui.pixels();
  REQUIRE(ui.app().renewGraphics());
  CHECK((ui.pixels() == before));
  CHECK(ui.app().speaker());
}
