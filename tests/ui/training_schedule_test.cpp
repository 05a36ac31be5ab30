// The schedule of the steps that come, in the real interface.
#include <catch2/catch_test_macros.hpp>

#include "app/document/model_commands.h"
#include "app/document/view_commands.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/training_window.h"

using namespace glassformer;

TEST_CASE("the schedule of the steps that come is chosen and dragged, and that can be undone") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path(), 1920, 1080);
  {
    Training training({.folder = folder.path(), .threads = 1});
    commands::setModel(training.begin(quickPlan(400))).apply(options.workspace);
    training.pause();
    training.finish();
  }
  UiDriver ui(options);
  const Schedule before = ui.snapshot().training->run->side.schedule;
  const auto schedule = [&] {
    ui.training().finish();
    ui.settle();
    return ui.snapshot().training->run->side.schedule;
  };
  ui.click("Stage/Constant");
  CHECK(schedule().kind == ScheduleKind::Constant);
  CHECK(schedule().warmup == before.warmup);
  ui.drag("warm-up", 60, 20);
  const Schedule dragged = schedule();
  CHECK(dragged.warmup > before.warmup);
  CHECK(dragged.peak < before.peak);
  ui.screenshot("training_schedule");
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(schedule().peak == before.peak);
  CHECK(schedule().kind == ScheduleKind::Constant);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(schedule() == before);
}

TEST_CASE("a schedule that was changed can be undone after another run was open") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path(), 1920, 1080);
  {
    Training training({.folder = folder.path(), .threads = 1});
    commands::setModel(training.begin(quickPlan(400))).apply(options.workspace);
    training.pause();
    training.begin(quickPlan(400));
    training.pause();
    training.finish();
  }
  UiDriver ui(options);
  const auto shown = [&] {
    ui.training().finish();
    ui.settle();
    return ui.snapshot().training->run;
  };
  const Schedule before = shown()->side.schedule;
  ui.click("Stage/Constant");
  REQUIRE(shown()->side.schedule.kind == ScheduleKind::Constant);
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.click("Train a model/copy-2##run");
  REQUIRE(shown()->name == "run:copy-2");
  CHECK(shown()->side.schedule == before);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(shown()->name == "run:copy-1");
  CHECK(shown()->side.schedule.kind == ScheduleKind::Constant);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(shown()->side.schedule == before);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiMod_Shift);
  CHECK(shown()->side.schedule.kind == ScheduleKind::Constant);
}

TEST_CASE("two runs with schedules of their own keep them apart, and the keyboard moves them as well") {
  const TemporaryFolder folder;
  UiDriver::Options options = optionsIn(folder.path(), 1920, 1080);
  TrainingPlan plan = quickPlan(400);
  plan.two = true, plan.otherSchedule = noWarmup;
  {
    Training training({.folder = folder.path(), .threads = 1});
    commands::setModel(training.begin(plan)).apply(options.workspace);
    training.pause();
    training.finish();
  }
  UiDriver ui(options);
  const Schedule first = ui.snapshot().training->run->side.schedule,
                 second = ui.snapshot().training->run->other->schedule;
  REQUIRE(first.warmup == 100);
  REQUIRE(second.warmup == 0);
  ui.drag(ui.find("warmup of the other"), 180, 0);
  ui.training().finish();
  ui.settle();
  CHECK(ui.snapshot().training->run->side.schedule == first);
  CHECK(ui.snapshot().training->run->other->schedule.warmup > 50);
  ui.screenshot("training_two_schedules");
  CHECK(ui.layoutFaults() == "");
  for (int i = 0; i < 100 && ui.app().focus().name() != "Stage/warm-up"; ++i) ui.press(ImGuiKey_Tab);
  ui.press(ImGuiKey_RightArrow);
  ui.training().finish();
  ui.settle();
  CHECK(ui.snapshot().training->run->side.schedule.warmup == 104);
  CHECK(ui.snapshot().training->run->side.schedule.peak == first.peak);
}

TEST_CASE("the names of the curves of 2017 lie on no other, as far as any axis goes") {
  UiDriver::Options options;
  options.workspace.aside = {"The cat."};
  commands::choosePicture("training", "schedule").apply(options.workspace);
  UiDriver ui(options);
  const auto look = [&](const std::string& what) {
    ui.inEveryLook([&](const std::string& seen) {
      ui.screenshot("schedule_2017_" + what + "_" + seen);
      INFO(what << " " << seen);
      CHECK(ui.layoutFaults() == "");
    });
  };
  look("20000");
  ui.click("Stage/100,000");
  look("100000");
  ui.press(ImGuiKey_C);
  look("compared");
}
