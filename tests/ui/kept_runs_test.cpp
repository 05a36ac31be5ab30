// Runs that are kept, in the real interface: opened, deleted, packed, in the library.
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "tests/core/io/temporary_folder.h"
#include "tests/ui/training_window.h"

using namespace glassformer;
using State = RunReport::State;

TEST_CASE("kept runs are opened with a click and deleted with two, but for the open one") {
  const TemporaryFolder folder;
  onFinishedRun(folder.path(), quickPlan());
  UiDriver ui(onFinishedRun(folder.path(), quickPlan()));
  REQUIRE(ui.workspace().model == "run:copy-2");
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.screenshot("training_kept");
  CHECK(ui.layoutFaults() == "");
  CHECK(ui.find("Train a model/Delete copy-2##run").disabled);
  ui.click("Train a model/Delete copy-1##run");
  ui.frames();
  ui.screenshot("training_delete");
  CHECK(ui.layoutFaults() == "");
  ui.click("Train a model/Keep##run");
  CHECK(ui.training().kept().size() == 2);
  ui.click("Train a model/copy-1##run");
  ui.training().finish();
  ui.settle();
  CHECK(ui.workspace().model == "run:copy-1");
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Delete copy-2##run");
  ui.click("Train a model/Delete##run");
  ui.training().finish();
  ui.frames();
  CHECK(ui.training().kept() == std::vector<std::string>{"run:copy-1"});
  CHECK(!std::filesystem::exists(folder / "copy-2"));
  CHECK(!ui.exists("Train a model/copy-2##run"));
}

TEST_CASE("of many kept runs every one can be reached") {
  const TemporaryFolder folder;
  UiDriver::Options options = onFinishedRun(folder.path(), quickPlan(2));
  for (int i = 2; i <= 9; ++i)
    std::filesystem::copy(folder / "copy-1", folder / ("copy-" + std::to_string(i)),
                          std::filesystem::copy_options::recursive);
  UiDriver ui(options);
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.screenshot("training_kept_many");
  CHECK(ui.layoutFaults() == "");
  std::set<int> seen;
  int pages = 0;
  do {
    const std::size_t before = seen.size();
    for (int i = 1; i <= 9; ++i)
      if (ui.exists("Train a model/copy-" + std::to_string(i) + "##run")) CHECK(seen.insert(i).second);
    CHECK(seen.size() > before);
    CHECK(ui.layoutFaults() == "");
    ui.click("Train a model/more##run");
    ui.frames();
  } while (++pages < 9 && !ui.exists("Train a model/copy-9##run"));
  CHECK(pages > 1);
  CHECK(seen.size() == 9);
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_T);
  for (const auto& [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}}) {
    ui.app().resize(width, height);
    ui.press(ImGuiKey_T, ImGuiMod_Shift);
    ui.frames();
    ui.screenshot("training_kept_light_" + std::to_string(width));
    CHECK(ui.layoutFaults() == "");
    ui.press(ImGuiKey_Escape);
  }
}

TEST_CASE("a run stands still while its session is packed") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Copy##task copy");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.training().isRunning(); });
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("pack the session");
  ui.press(ImGuiKey_Enter);
  waitFor(ui, [&] { return !ui.training().isRunning(); });
  CHECK(ui.exists("Save##path"));
}

TEST_CASE("closing the window asks while a model is trained") {
  const TemporaryFolder folder;
  UiDriver ui(optionsIn(folder.path()));
  CHECK(ui.app().mayClose());
  ui.press(ImGuiKey_T, ImGuiMod_Shift);
  ui.frames();
  ui.click("Train a model/Copy##task copy");
  ui.click("Train a model/Start");
  waitFor(ui, [&] { return ui.training().isRunning(); });
  CHECK(!ui.app().mayClose());
  ui.frames(3);
  ui.screenshot("training_closing");
  CHECK(ui.layoutFaults() == "");
  ui.click("Keep training");
  CHECK(ui.training().isRunning());
  CHECK(!ui.app().mayClose());
  ui.frames(3);
  ui.click("Pause and close");
  CHECK(ui.app().mayClose());
}

TEST_CASE("a run that is through is in the library, and opens from there") {
  const TemporaryFolder folder;
  UiDriver::Options options = onFinishedRun(folder.path(), quickPlan());
  options.workspace.model = "small";
  UiDriver ui(options);
  ui.press(ImGuiKey_O, ImGuiMod_Shift);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("library_trained_here");
  ui.click("copy-1##model run:copy-1");
  ui.click("Open##library");
  ui.settle();
  CHECK(ui.workspace().model == "run:copy-1");
  CHECK(ui.snapshot().training->run->state == State::Finished);
}
