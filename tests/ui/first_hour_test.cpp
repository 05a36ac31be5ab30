// The way of somebody new: the first picture, the first lesson, a text of their own, a model that they train,
// and back to the story.
#include <catch2/catch_test_macros.hpp>

#include "app/lesson/lesson_shelf.h"
#include "app/shell/launch.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/lesson_window.h"
#include "tests/ui/training_window.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

UiDriver::Options firstHour(const fs::path& runs, const UsualLook& look) {
  UiDriver::Options options = withLessons("");
  static const ModelLibrary library(fs::path(SOURCE_FOLDER) / "app");
  options.width = look.width, options.height = look.height;
  options.models = library.builtIn();
  options.workspace = welcome();
  options.workspace.look.dark = look.dark, options.workspace.look.followsSystem = false;
  options.workspace.plan = quickPlan();
  options.beginning = Beginning::FirstPicture;
  options.allControls = false;
  options.runs = runs;
  return options;
}

void rewrite(UiDriver& ui, const std::string& text) {
  ui.click("Input/Text");
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type(text);
}

// What a step asks to try.
void tryOut(UiDriver& ui, const std::string& until) {
  if (until == "next == \"street\"")
    rewrite(ui, "The animal didn't cross the street because it was too wide. What was too wide? The");
  for (int i = 0; i < 12 && until == "token(-1) == \".\"" && ui.workspace().text.back() != '.'; ++i)
    ui.click("Timeline/Add token");
}

bool says(UiDriver& ui, const char* words) { return ui.texts().find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a first hour: the picture, the first lesson, one's own text, training, and back to the story") {
  for (const UsualLook& look : usualLooks) {
    const TemporaryFolder runs;
    UiDriver ui(firstHour(runs.path(), look));
    const auto see = [&](const std::string& what) {
      INFO(what << " " << look.name());
      CHECK(ui.layoutFaults() == "");
      CHECK(ui.snapshot().standing.error == "");
      CHECK(ui.app().message() == "");
      ui.screenshot("first_hour_" + what + "_" + look.name());
    };
    see("picture");

    ui.click("First picture/Lessons");
    see("lessons");
    ui.click("First five minutes##start lesson 01_first_five_minutes");
    const auto lesson = LessonShelf(lessonsFolder).shipped("01_first_five_minutes");
    for (int i = 0; i < lesson->stepCount(); ++i) {
      const LessonStep& step = lesson->steps[static_cast<std::size_t>(i)];
      REQUIRE(ui.workspace().lesson.step == i);
      if (step.question) answer(ui, *step.question);
      tryOut(ui, step.until);
      if (!step.until.empty()) CHECK(says(ui, "✓  Done"));
      see("lesson_" + std::to_string(i + 1));
      if (i + 1 < lesson->stepCount()) ui.click("Next##lesson");
    }
    ui.click("Done##lesson");
    CHECK_FALSE(ui.workspace().lesson.isOpen());
    CHECK(ui.workspace().look.reached.at(lesson->id) == lesson->stepCount());

    const std::string mine = "The frog was too hungry. What was too hungry? The";
    rewrite(ui, mine);
    see("own_text");
    CHECK(ui.workspace().text == mine);

    ui.click("Top bar/Command palette");
    ui.type("train a model");
    ui.press(ImGuiKey_Enter);
    see("set_up");
    ui.click("Train a model/Start");
    waitFor(ui, [&] {
      return ui.snapshot().training->run && ui.snapshot().training->run->state == RunReport::State::Finished;
    });
    CHECK(ui.workspace().view == "training");
    see("trained");

    ui.press(ImGuiKey_Home, ImGuiMod_Ctrl);
    see("start_page");
    ui.click("stories##start model stories");
    ui.click("Top bar/Attention");
    see("back");
    CHECK(ui.workspace().model == "stories");
    CHECK(ui.workspace().text == mine);
  }
}
