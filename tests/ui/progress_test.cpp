// Long work in the real window: a beam search of width 16 and depth 64 on 384 heads.
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

#include "tests/small_model.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;

namespace {

using Clock = std::chrono::steady_clock;

UiDriver::Options large() {
  UiDriver::Options options;
  options.workspace.view = "beam";
  options.workspace.decoding.depth = 64, options.workspace.decoding.beamWidth = 1;
  options.loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 24, 16, 128);
  };
  return options;
}

// Draws until the window speaks of the work.
bool isShown(UiDriver& ui) {
  const auto end = Clock::now() + std::chrono::seconds(10);
  while (!ui.exists("Progress/Cancel") && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ui.frames(1);
  }
  return ui.exists("Progress/Cancel");
}

// A wider and wider tree.
void widen(UiDriver& ui) {
  ui.waitForEngine(false);
  for (int width = 2; width <= 16; ++width) ui.click("more##Beams");
}

void finish(UiDriver& ui) {
  ui.waitForEngine(true);
  ui.settle();
}

}  // namespace

TEST_CASE(
    "long work is shown after a moment; click, key and palette cancel it, and it can be started again") {
  UiDriver ui(large());
  CHECK_FALSE(ui.exists("Progress/Cancel"));
  widen(ui);
  REQUIRE(isShown(ui));
  const auto before = ui.snapshot().decoded->beam;
  CHECK(ui.exists("Growing the beam tree"));
  CHECK(ui.find("Stage view").max.y <= ui.find("Progress/Cancel").min.y);  // it lies on no picture
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("progress_dark");
  ui.click("Progress/Cancel");
  finish(ui);
  CHECK(ui.snapshot().standing.cancelled == "growing the beam tree");
  CHECK(ui.snapshot().decoded->beam == before);
  CHECK(ui.workspace().decoding.beamWidth == 16);
  CHECK(ui.exists("Cancelled: growing the beam tree"));
  CHECK_FALSE(ui.exists("Progress/Cancel"));
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("progress_cancelled_dark");
  ui.press(ImGuiKey_T);  // another look is no reason to start again
  CHECK(ui.exists("Cancelled: growing the beam tree"));
  ui.screenshot("progress_cancelled_light");

  ui.waitForEngine(false);
  ui.click("Start again");
  REQUIRE(isShown(ui));
  ui.screenshot("progress_light");
  ui.press(ImGuiKey_Tab);  // the keyboard's mark takes the first one
  ui.press(ImGuiKey_Escape);
  CHECK(ui.exists("Progress/Cancel"));
  ui.press(ImGuiKey_Escape);
  finish(ui);
  CHECK(ui.snapshot().standing.cancelled == "growing the beam tree");

  ui.waitForEngine(false);
  ui.click("Start again");
  REQUIRE(isShown(ui));
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("cancel");
  ui.press(ImGuiKey_Enter);
  finish(ui);
  CHECK(ui.snapshot().standing.cancelled == "growing the beam tree");
  ui.click("Dismiss##cancelled");
  CHECK_FALSE(ui.exists("Cancelled: growing the beam tree"));
}

TEST_CASE("a change replaces work under way") {
  UiDriver ui(large());
  widen(ui);
  REQUIRE(isShown(ui));
  for (int width = 16; width > 1; --width) ui.click("less##Beams");
  finish(ui);
  CHECK(ui.snapshot().standing.cancelled.empty());
  CHECK(ui.snapshot().isDecoded());
  CHECK_FALSE(ui.exists("Progress/Cancel"));
}
