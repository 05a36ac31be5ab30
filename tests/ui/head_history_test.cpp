// How a head came about in training, in the real window, and a head held as it was.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>

#include "app/engine/head_profile.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/training_window.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("how a head came about stands on its page, and a click shows every view as it was then") {
  for (const int width : {1280, 1920}) {
    const TemporaryFolder folder;
    UiDriver::Options options = onFinishedRun(folder.path(), quickPlan(30), width, width * 9 / 16);
    options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "biography";
    UiDriver ui(options);
    CHECK_THAT(ui.texts(), ContainsSubstring("Training history"));
    ui.screenshot("biography_of_training_" + std::to_string(width));
    CHECK_FALSE(ui.scrolls());
    CHECK(ui.layoutFaults() == "");
    ui.click("its past", 0.5f, 0.1f);
    CHECK(ui.snapshot().training->step < 30);
    CHECK(ui.snapshot().training->step > 0);
    CHECK_THAT(ui.texts(), ContainsSubstring("Training history"));
  }
}

TEST_CASE("a head's page says when it formed, and leads to then and to before, from where one branches") {
  const TemporaryFolder folder;
  UiDriver::Options options = onFinishedRun(folder.path(), {.task = "induction", .steps = 700}, 1280, 720);
  options.workspace.view = "attention", options.workspace.settings.pictures["attention"] = "biography";
  options.workspace.selection.layer = 1;
  UiDriver ui(options);
  const auto number = [&](const char* tensor) {
    const TensorView all = (*ui.snapshot().kept.measured)[tensor],
                     rise = (*ui.snapshot().kept.measured)[biography::rise];
    const TensorView formed = (*ui.snapshot().kept.measured)[biography::formed];
    int most = -1;
    for (int i = 0; i < rise.extent[0]; ++i)
      if (std::isfinite(formed(i)) && (most < 0 || rise(i) > rise(most))) most = i;
    REQUIRE(most >= 0);
    return static_cast<int>(all(most));
  };
  const int formed = number(biography::formed), before = number(biography::before);
  CHECK(before < formed);
  CHECK_THAT(ui.texts(), ContainsSubstring("emerges at step " + std::to_string(formed)));
  ui.screenshot("biography_formed");
  CHECK(ui.layoutFaults() == "");
  ui.click("emergence");
  CHECK(ui.snapshot().training->step == formed);
  ui.click("before it formed");
  CHECK(ui.snapshot().training->step == before);
  const std::string run = ui.workspace().model;
  ui.press(ImGuiKey_B, ImGuiMod_Ctrl);
  waitFor(ui, [&] {
    return ui.workspace().model != run && ui.snapshot().training->run->name == ui.workspace().model;
  });
  ui.settle();
  CHECK(ui.snapshot().training->run->step == before);
}

TEST_CASE("a head is held as at a step of the past while every other step is looked at, listed and undone") {
  const TemporaryFolder folder;
  UiDriver::Options options = onFinishedRun(folder.path(), quickPlan(30));
  options.workspace.view = "attention";
  UiDriver ui(options);
  const auto logits = [&] { return (*ui.snapshot().pass->trace)["logits"].copy(); };
  const std::vector<float> newest = logits();
  for (int i = 0; i < 12; ++i) ui.press(ImGuiKey_LeftArrow, ImGuiMod_Ctrl);
  ui.settle();
  const int step = ui.snapshot().training->step;
  REQUIRE(step < 30);
  const std::vector<float> then = logits();
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("freeze this head");
  ui.press(ImGuiKey_Enter);
  ui.settle();
  REQUIRE(ui.workspace().interventions.size() == 1);
  CHECK(ui.workspace().interventions[0].step == step);
  CHECK(logits() == then);  // at that step it is as it is
  CHECK_THAT(ui.texts(), ContainsSubstring("as at step " + std::to_string(step)));
  for (int i = 0; i < 40; ++i) ui.press(ImGuiKey_RightArrow, ImGuiMod_Ctrl);
  ui.settle();
  CHECK(ui.snapshot().training->step == 30);
  CHECK(logits() != newest);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("held_as_at_step");
  ui.click("Remove##0");
  ui.settle();
  CHECK(logits() == newest);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().interventions.size() == 1);
}
