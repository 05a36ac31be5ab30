// The page where one begins, and begins again.
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "app/document/session.h"
#include "app/engine/training.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

UiDriver::Options withStartPage(bool wide, bool dark) {
  static const ModelLibrary library(fs::path(SOURCE_FOLDER) / "app");
  UiDriver::Options options;
  options.models = library.builtIn();
  options.loader = [](const std::string& name, const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  options.lessons = fs::path(SOURCE_FOLDER) / "assets" / "lessons";
  options.beginning = Beginning::StartPage;
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  if (wide) options.width = 1920, options.height = 1080;
  return options;
}

// What the page offers, by the beginning of its name or what is in it.
ItemRecord offered(const UiDriver& ui, const std::string& words) {
  for (const ItemRecord& item : ui.items())
    if (item.label.find("##start ") != std::string::npos && item.label.find(words) != std::string::npos)
      return item;
  FAIL(words << " is not offered");
  return {};
}

void press(UiDriver& ui, std::initializer_list<ImGuiKey> keys) {
  for (const ImGuiKey key : keys) ui.press(key);
}

}  // namespace

TEST_CASE("the start page offers every lesson, model and lecture, by mouse and by keyboard") {
  for (const bool wide : {false, true}) {
    UiDriver::Options options = withStartPage(wide, !wide);
    options.lesson = "01_first_five_minutes";
    UiDriver ui(options);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot(std::string("start_page") + (wide ? "_wide_light" : "_dark"));
    // Behind it the lesson of a first start is open, and stays so.
    ui.press(ImGuiKey_Escape);
    CHECK_FALSE(ui.exists("Close##start"));
    CHECK(ui.workspace().lesson.lesson == "01_first_five_minutes");
  }

  UiDriver ui(withStartPage(false, true));
  int lessons = 0, models = 0;
  for (const ItemRecord& item : ui.items()) {
    lessons += item.label.find("##start lesson ") != std::string::npos;
    models += item.label.find("##start model ") != std::string::npos;
  }
  CHECK(lessons == 14 + 5);
  CHECK(models == 9);
  ui.click("Transformers for language##start lesson lecture_language_processing");
  CHECK(ui.workspace().lesson.lesson == "lecture_language_processing");
  CHECK(ui.workspace().model == "worked");
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  press(ui, {ImGuiKey_DownArrow, ImGuiKey_Enter});
  CHECK(ui.workspace().lesson.lesson == "02_averages_to_attention");
  CHECK(ui.workspace().model == "worked");
  // A model closes the lesson.
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  press(ui,
        {ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_DownArrow, ImGuiKey_DownArrow, ImGuiKey_Enter});
  CHECK(ui.workspace().model == "translate");
  CHECK_FALSE(ui.workspace().lesson.isOpen());
  CHECK_FALSE(ui.exists("Close##start"));
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  ui.click("sort##start model sort");
  CHECK(ui.workspace().model == "sort");
}

TEST_CASE("the start page brings back what was saved, exported and trained, and says what is gone") {
  const TemporaryFolder folder;
  UiDriver::Options options = withStartPage(false, false);
  options.recent = folder / "recent.txt";
  options.runs = folder / "runs";
  const fs::path session = folder / "heads.json", text = folder / "a cat.txt";
  Workspace kept = initialWorkspace();
  kept.text = "The cat slept.";
  kept.view = "residual";
  kept.figure.folder = folder.path().string();
  REQUIRE(saveSession(session, kept));
  std::ofstream(text) << "The dog slept.";
  std::ofstream(options.recent) << session.string() << "\n"
                                << text.string() << "\n"
                                << (folder / "gone.json").string() << "\n";
  UiDriver ui(options);
  offered(ui, "heads.json");
  CHECK(ui.texts().find("gone.json") == std::string::npos);
  // The keys pass to what there is to go on with.
  press(ui, {ImGuiKey_RightArrow, ImGuiKey_RightArrow, ImGuiKey_RightArrow, ImGuiKey_Enter});
  CHECK(ui.workspace().text == "The cat slept.");
  CHECK(ui.workspace().view == "residual");

  // A figure that was saved is offered, and opens what it shows.
  ui.press(ImGuiKey_E, ImGuiMod_Ctrl);
  ui.click("Save##export");
  ui.await([&] { return ui.texts().find("Saved ") != std::string::npos; });
  ui.press(ImGuiKey_Escape);
  ui.press(keyOfView(0));
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("start_page_recent");
  CHECK(ui.workspace().view == "attention");
  ui.click(offered(ui, ".svg"));
  CHECK(ui.workspace().view == "residual");

  // What is gone by the time it is chosen is a message, and nothing is lost.
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  fs::remove(text);
  ui.click(offered(ui, "a cat.txt"));
  CHECK(ui.app().message().find("a cat.txt") != std::string::npos);
  CHECK(ui.workspace().text == "The cat slept.");

  // A run goes on.
  const std::string run = ui.training().begin({.task = "sort", .steps = 2});
  ui.training().finish();
  ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
  ui.click(offered(ui, run));
  CHECK(ui.workspace().model == run);
  CHECK(ui.workspace().view == "training");
}

TEST_CASE("without anything beside the program the start page says so") {
  UiDriver::Options options;
  options.models.clear();
  options.beginning = Beginning::StartPage;
  UiDriver ui(options);
  CHECK(ui.texts().find("No lessons found next to the program.") != std::string::npos);
  CHECK(ui.texts().find("Recent sessions, models and runs appear here.") != std::string::npos);
  CHECK(ui.layoutFaults() == "");
  press(ui, {ImGuiKey_RightArrow, ImGuiKey_Enter, ImGuiKey_Escape});
  CHECK_FALSE(ui.exists("Close##start"));
}
