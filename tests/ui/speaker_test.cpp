// The window beside the one that a room sees in a presentation.
#include <catch2/catch_test_macros.hpp>
#include <cstdio>

#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/speaker_panel.h"
#include "app/shell/drawn_frame.h"
#include "app/shell/speaker_window.h"
#include "imgui_internal.h"
#include "tests/this_build.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

UiDriver::Options inLecture(bool dark = true) {
  static const ModelLibrary library(fs::path(SOURCE_FOLDER) / "app");
  UiDriver::Options options;
  options.loader = [](const std::string& name, const ProgressCallback& watch) {
    return library.load(name, watch);
  };
  options.lessons = fs::path(SOURCE_FOLDER) / "assets" / "lessons";
  options.lesson = "04_masks";
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  return options;
}

SpeakerWindow& speakerOf(UiDriver& ui) {
  REQUIRE(ui.app().speaker());
  return *ui.app().speaker();
}
ImGuiIO& inputOf(UiDriver& ui) { return speakerOf(ui).imgui().context()->IO; }

void pressThere(UiDriver& ui, ImGuiKey key) {
  inputOf(ui).AddKeyEvent(key, true);
  ui.frames(2);
  if (ui.app().speaker()) inputOf(ui).AddKeyEvent(key, false);
  ui.frames(2);
  ui.settle();
}

void clickThere(UiDriver& ui, Point at) {
  inputOf(ui).AddMousePosEvent(at.x, at.y);
  ui.frames(3);
  for (const bool down : {true, false}) {
    inputOf(ui).AddMouseButtonEvent(0, down);
    ui.frames(3);
  }
  ui.settle();
}

std::string textsThere(UiDriver& ui) {
  speakerOf(ui).painter().keepTexts(true);
  ui.frames(2);
  std::string all;
  for (const DrawnText& text : speakerOf(ui).painter().texts()) all += text.text + "\n";
  return all;
}

std::vector<unsigned char> pixelsThere(UiDriver& ui) {
  ui.app().frame();
  ui.app().frame();  // with the room's picture of the last one
  speakerOf(ui).imgui().use();
  auto pixels = pixelsOf(speakerOf(ui).surface());
  ui.frames(1);  // which go on with the room's window
  return pixels;
}

void pictureThere(UiDriver& ui, const std::string& name) {
  pixelsThere(ui);
  speakerOf(ui).imgui().use();
  REQUIRE(savePicture(speakerOf(ui).surface(), fs::path(thisBuild().screenshots) / (name + ".png")));
  ui.frames(1);
}

int stepNow(UiDriver& ui) { return ui.workspace().lesson.step; }

const Lesson& lessonIn(const LessonShelf& shelf, const std::string& id) {
  return **std::ranges::find(shelf.ships(), id, [](const auto& lesson) { return lesson->id; });
}

}  // namespace

TEST_CASE("the speaker's window has the note, what comes next, where one is and for how long") {
  UiDriver ui(inLecture());
  const LessonShelf shelf(fs::path(SOURCE_FOLDER) / "assets" / "lessons");
  const Lesson& lesson = lessonIn(shelf, "04_masks");
  const auto noted = std::ranges::find_if(lesson.steps, [](const LessonStep& s) { return !s.note.empty(); });
  REQUIRE(noted != lesson.steps.end());
  const int step = static_cast<int>(noted - lesson.steps.begin());
  CHECK_FALSE(ui.app().speaker());
  ui.press(ImGuiKey_F8);  // of a presentation alone
  CHECK_FALSE(ui.app().speaker());
  ui.press(ImGuiKey_F5);
  ui.press(ImGuiKey_F8);
  while (stepNow(ui) < step) pressThere(ui, ImGuiKey_PageDown);
  const std::string said = textsThere(ui);
  INFO(said);
  CHECK(said.find(noted->note.substr(0, 20)) != std::string::npos);
  CHECK(said.find(std::to_string(step + 1) + " of " + std::to_string(lesson.stepCount())) !=
        std::string::npos);
  CHECK(said.find("of " + std::to_string(lesson.minutes) + " minutes") != std::string::npos);
  CHECK(said.find(lesson.title) != std::string::npos);
  CHECK(said.find("The audience sees this.") != std::string::npos);
  pictureThere(ui, "speaker_dark");
}

TEST_CASE("what is done to the room's picture in the speaker's window is done to the instrument") {
  UiDriver ui(inLecture(false));
  ui.press(ImGuiKey_F5);
  ui.press(ImGuiKey_F8);
  pixelsThere(ui);
  const auto item = ui.find("attention");
  const Box picture = speakerOf(ui).picture();
  const auto there = [&](float x, float y) {
    const float across = item.min.x + x * (item.max.x - item.min.x),
                down = item.min.y + y * (item.max.y - item.min.y);
    return Point{picture.x + across / 1280 * picture.width, picture.y + down / 720 * picture.height};
  };
  clickThere(ui, there(0.1f, 0.9f));
  const Selection first = ui.workspace().selection;
  clickThere(ui, there(0.1f, 0.2f));
  CHECK(ui.workspace().selection.query < first.query);
  pressThere(ui, ImGuiKey_Slash);
  inputOf(ui).AddInputCharactersUTF8("/");
  ui.frames(4);
  inputOf(ui).AddInputCharactersUTF8(" so");
  ui.frames(4);
  ui.settle();
  CHECK(ui.workspace().text.ends_with(" so"));
  pictureThere(ui, "speaker_light");
}

TEST_CASE("frozen, the room keeps what it sees, while one goes on in the speaker's window") {
  UiDriver ui(inLecture());
  ui.press(ImGuiKey_F5);
  ui.frames(4);
  const auto seen = ui.pixels();
  ui.press(ImGuiKey_Period);
  REQUIRE(ui.app().speaker());  // else nobody would see what goes on
  const auto before = pixelsThere(ui);
  const int step = stepNow(ui);
  pressThere(ui, ImGuiKey_PageDown);
  CHECK(stepNow(ui) == step + 1);
  CHECK(pixelsThere(ui) != before);
  const auto still = ui.pixels();
  CHECK(still == ui.pixels());
  pressThere(ui, ImGuiKey_PageDown);
  CHECK(ui.pixels() == still);
  pictureThere(ui, "speaker_frozen");
  pressThere(ui, ImGuiKey_Escape);  // lets go of it, and of nothing else
  CHECK(ui.pixels() != still);
  CHECK(ui.app().speaker());

  pressThere(ui, ImGuiKey_B);
  const auto black = ui.pixels();
  CHECK(std::ranges::count(black, 0) == static_cast<std::ptrdiff_t>(black.size() / 4 * 3));
  const auto light = pixelsThere(ui);
  CHECK(std::ranges::count(light, 0) < static_cast<std::ptrdiff_t>(light.size() / 10));
}

TEST_CASE("the speaker's window ends with the presentation, and comes back with the next one") {
  UiDriver ui;
  ui.press(ImGuiKey_F5);
  ui.press(ImGuiKey_F8);
  CHECK(textsThere(ui).find("No lesson is open") != std::string::npos);
  pictureThere(ui, "speaker_without_lesson");
  pressThere(ui, ImGuiKey_Escape);
  CHECK_FALSE(ui.app().speaker());
  CHECK(ui.exists("Text"));
  ui.press(ImGuiKey_F5);
  CHECK(ui.app().speaker());
  speakerOf(ui).surface().close();  // by its own cross
  ui.frames(2);
  CHECK_FALSE(ui.app().speaker());
  CHECK(ui.app().message() == "");
  CHECK(ui.exists("attention"));
  ui.press(ImGuiKey_Escape), ui.press(ImGuiKey_F5);
  CHECK_FALSE(ui.app().speaker());
}

TEST_CASE(
    "the speaker's window goes with its monitor, which is said, and comes back on the one that is there") {
  UiDriver ui;
  ui.press(ImGuiKey_F5), ui.press(ImGuiKey_F8);
  speakerOf(ui).surface().loseMonitor();
  ui.frames(2);
  CHECK_FALSE(ui.app().speaker());
  CHECK(ui.app().message() == "the speaker's window went with its monitor; F8 opens it again");
  ui.press(ImGuiKey_F8);
  CHECK(ui.app().speaker());
}

TEST_CASE("in a presentation the number of a step, and Enter, lead there") {
  UiDriver ui(inLecture());
  ui.press(ImGuiKey_F5);
  const std::string view = ui.workspace().view;
  ui.press(ImGuiKey_5);
  CHECK(ui.texts().find("Step 5") != std::string::npos);
  ui.screenshot("presentation_jump");
  ui.press(ImGuiKey_Enter);
  CHECK(stepNow(ui) == 4);
  ui.press(ImGuiKey_2), ui.press(ImGuiKey_0);
  CHECK(ui.texts().find("Step 20   there are 8") != std::string::npos);
  ui.press(ImGuiKey_Backspace), ui.press(ImGuiKey_Enter);
  CHECK(stepNow(ui) == 1);
  ui.press(ImGuiKey_7), ui.press(ImGuiKey_Escape);
  CHECK(ui.texts().find("Step 7") == std::string::npos);
  const std::string text = ui.workspace().text;
  ui.press(ImGuiKey_9), ui.press(ImGuiKey_9), ui.press(ImGuiKey_Enter);
  CHECK(stepNow(ui) == 1);
  CHECK(ui.workspace().text == text);  // Backspace and Enter were the number's alone
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_3);  // outside, digits are views
  CHECK(stepNow(ui) == 1);
  CHECK_FALSE(ui.workspace().view == view);
}

// The first plan, as it is given: a clicker has two keys. What each step shows is seen by the back row.
TEST_CASE("a lecture is given by clicker from its first topic to its last, with its slips for the speaker") {
  UiDriver::Options options = inLecture();
  options.lesson = "lecture_weighted_averages";
  UiDriver ui(options);
  const auto lecture = LessonShelf(options.lessons).shipped(options.lesson);
  REQUIRE(lecture);
  ui.press(ImGuiKey_F5), ui.press(ImGuiKey_F8);
  std::string topic;
  for (int i = 0; i < lecture->stepCount(); ++i) {
    INFO("step " << i + 1);
    const LessonStep& step = lecture->steps[static_cast<std::size_t>(i)];
    REQUIRE(stepNow(ui) == i);
    CHECK(ui.snapshot().standing.error == "");
    CHECK(ui.layoutFaults() == "");
    CHECK(ui.textsBelow(17.9f) == "");
    CHECK(ui.texts().find(step.topic.substr(0, 20)) != std::string::npos);
    if (step.topic != topic) {
      topic = step.topic;
      const std::string there = textsThere(ui);
      CHECK(there.find("until " + clockWords(step.endsAt * 60)) != std::string::npos);
      CHECK((there.find("slip to point out") != std::string::npos) ==
            (step.note.find("slip to point out") != std::string::npos));
      ui.screenshot("lecture_by_clicker_" + std::to_string(i + 1));
      if (step.endsAt == 14) pictureThere(ui, "speaker_lecture");
    }
    if (i == 2) {
      ui.press(ImGuiKey_PageUp);
      CHECK(stepNow(ui) == 1);
      ui.press(ImGuiKey_PageDown);
    }
    ui.press(ImGuiKey_PageDown);
  }
  CHECK(stepNow(ui) == lecture->stepCount() - 1);
  CHECK(ui.workspace().look.reached.at(lecture->id) == lecture->stepCount());
}

TEST_CASE("how long one has spoken is told in minutes, and then in hours") {
  CHECK(clockWords(0) == "0:00");
  CHECK(clockWords(67.9) == "1:07");
  CHECK(clockWords(3600 + 62) == "1:01:02");
  CHECK(clockWords(-1) == "0:00");
}
