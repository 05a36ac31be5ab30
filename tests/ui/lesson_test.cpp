// Lessons in the real window.
#include <catch2/catch_test_macros.hpp>

#include "app/document/session.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/lesson_panel.h"
#include "app/views/views.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/lesson_window.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

const char* const twoSteps = R"(---
title: Two steps
minutes: 3
model: stories
---
The first one says **something**, with $A = \frac{1}{2}$.

```glassformer
text: "The dog"
view: tokens
```
---
What comes next?

- [( )] slept
- [(X)] couldn

```glassformer
view: residual
hint: It is a story.
```
)";

// Small and dark, then large and light.
template <typename See>
void inBothLooks(UiDriver& ui, See see) {
  see("");
  ui.lookAs(usualLooks[1]);
  see("_wide");
  ui.lookAs(usualLooks[0]);
}

}  // namespace

TEST_CASE("every step of every lesson, before and after its prediction, in two sizes and both themes") {
  const LessonShelf shelf(lessonsFolder);
  CHECK(shelf.unreadable().empty());
  REQUIRE(shelf.ships().size() >= 14);
  UiDriver ui(withLessons(shelf.ships().front()->id));
  for (const auto& lesson : shelf.ships()) {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type("Lesson: " + lesson->title);
    ui.press(ImGuiKey_Enter);
    for (int i = 0; i < lesson->stepCount(); ++i) {
      const std::string name = "lessons/" + lesson->id + "_" + std::to_string(i + 1);
      const LessonStep& step = lesson->steps[static_cast<std::size_t>(i)];
      const auto see = [&](const std::string& seen) {
        INFO(seen);
        REQUIRE(ui.workspace().lesson.lesson == lesson->id);
        REQUIRE(ui.workspace().lesson.step == i);
        CHECK(ui.app().message() == "");
        CHECK_FALSE(ui.exists("continued##lesson"));
        CHECK_FALSE(ui.exists("Restore page"));
        CHECK(ui.layoutFaults().substr(0, 600) == "");
        ui.screenshot(seen);
      };
      inBothLooks(ui, [&](const char* look) {
        see(name + look);
        CHECK(coveredNow(lesson.get(), ui.workspace()) == step.covers);
      });
      if (step.question) {
        answer(ui, *step.question);
        ui.settle();
        inBothLooks(ui, [&](const char* look) {
          see(name + look + "_answered");
          CHECK(coveredNow(lesson.get(), ui.workspace()) == Cover{});
          CHECK(ui.texts().find("This run has no answer") == std::string::npos);
          CHECK(ui.exists("Retry##prediction"));
        });
      }
      if (i + 1 < lesson->stepCount()) ui.click("Next##lesson");
    }
  }
}

TEST_CASE("a prediction uncovers what it was about, stays beside what came, and can be taken back") {
  UiDriver ui(withLessons("10_words_and_numbers"));
  ui.click("step 3##lesson");
  CHECK_FALSE(ui.exists("Stage view"));
  CHECK_FALSE(ui.exists("Add token"));  // what comes next
  CHECK(ui.texts().find("Your prediction?") != std::string::npos);
  CHECK(ui.texts().find("11 tokens") == std::string::npos);
  ui.click("B: 3##choice");
  CHECK(ui.exists("Stage view"));
  CHECK(ui.texts().find("11 tokens") != std::string::npos);
  CHECK(ui.texts().find("Wrong: it is 11.\nNo\nstory\nhas\nit,") != std::string::npos);
  CHECK(ui.workspace().lesson.guesses.at(2).values == std::vector<float>{1});
  ui.click("C: 11##choice");  // it is too late for that
  CHECK(ui.workspace().lesson.guesses.at(2).values == std::vector<float>{1});
  ui.click("Retry##prediction");
  CHECK_FALSE(ui.exists("Stage view"));
  ui.click("C: 11##choice");
  CHECK(ui.texts().find("Right: 11.\nNo\nstory\nhas\nit,") != std::string::npos);
  ui.press(ImGuiKey_PageDown);
  ui.press(ImGuiKey_PageUp);
  CHECK(ui.texts().find("Right: 11.") != std::string::npos);
}

TEST_CASE("the answer is that of the learner's own run") {
  UiDriver::Options options = withLessons("");
  const TemporaryFolder folder;
  write(folder / "own.md", R"(---
title: Own
---
Next?

- [( )] animal
- [( )] street

```glassformer
text: "The animal didn't cross the street because it was too tired. What was too tired? The"
answer: next
```
)");
  UiDriver ui(options);
  ui.app().open(folder / "own.md");
  ui.settle();
  ui.click("A: animal##choice");
  CHECK(ui.texts().find("Right: animal.") != std::string::npos);
  std::string text = ui.workspace().text;
  for (std::size_t at; (at = text.find("tired")) != std::string::npos;) text.replace(at, 5, "wide");
  ui.click("Text", 0.5f, 0.5f);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type(text);
  ui.press(ImGuiKey_Escape);
  CHECK(ui.texts().find("Wrong: it is street.") != std::string::npos);
}

TEST_CASE("a number is predicted in an empty field, and Enter checks it") {
  UiDriver::Options options = withLessons("");
  const TemporaryFolder folder;
  write(folder / "own.md", R"(---
title: Own
---
How probable is the next word?

[[number]]

```glassformer
text: "The animal didn't cross the street because it was too tired. What was too tired? The"
answer: p("animal")
tolerance: 0.05
```
)");
  UiDriver ui(options);
  ui.app().open(folder / "own.md");
  ui.settle();
  CHECK(ui.find("Check##lesson").disabled);  // nothing is right that nobody has said
  ui.click("number##Your guess");
  ui.type("0.97");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.workspace().lesson.guesses.at(0).isMade);
  CHECK(ui.texts().find("Right: 0.979") != std::string::npos);
}

TEST_CASE("letters choose an answer, and pages turn while one types") {
  UiDriver ui(withLessons("13_choosing_words"));
  ui.click("step 10##lesson");
  ui.press(ImGuiKey_C);  // the third choice, not a comparison
  CHECK(ui.workspace().lesson.guesses.at(9).values == std::vector<float>{2});
  CHECK_FALSE(ui.workspace().comparison.isOn());
  ui.click("Input/Text", 0.5f, 0.5f);
  ui.press(ImGuiKey_PageDown);
  CHECK(ui.workspace().lesson.step == 10);
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.press(ImGuiKey_PageDown);
  CHECK(ui.workspace().lesson.step == 10);  // the palette has it
}

TEST_CASE("the path can be left, the way back is a click, and what was here before comes back") {
  UiDriver::Options options = withLessons("");
  options.workspace.text = "My own story.";
  options.workspace.view = "residual";
  UiDriver ui(options);
  ui.press(ImGuiKey_L, ImGuiMod_Shift);
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("lessons");
  ui.click("Masks, or who may see the future##lesson 04_masks");
  CHECK(ui.workspace().lesson.lesson == "04_masks");
  CHECK(ui.workspace().view == "attention");
  CHECK_FALSE(ui.exists("Restore page"));
  ui.press(keyOfView(2));
  ui.press(ImGuiKey_Space);
  CHECK(ui.exists("Restore page"));
  ui.click("Restore page");
  CHECK(ui.workspace().view == "attention");
  CHECK_FALSE(ui.exists("Restore page"));
  ui.press(keyOfView(2));
  ui.press(ImGuiKey_Home);
  CHECK(ui.workspace().view == "attention");
  ui.click("Close##lesson");
  CHECK(ui.workspace().text == "My own story.");
  CHECK(ui.workspace().view == "residual");
  CHECK_FALSE(ui.exists("Next##lesson"));
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);  // the lesson's text, to go on with
  CHECK(ui.workspace().text != "My own story.");
}

TEST_CASE("what was here before a lesson survives a restart in the middle of it") {
  const TemporaryFolder folder;
  UiDriver::Options options = withLessons("02_averages_to_attention");
  options.session = folder / "session.json";
  options.workspace.text = "My own story.";
  {
    UiDriver ui(options);
    ui.click("Next##lesson");
  }
  auto restored = restoreSession(folder / "session.json");
  CHECK(restored.message == "");
  options.workspace = restored.workspace, options.lesson = "";
  UiDriver ui(options);
  CHECK(ui.workspace().lesson.step == 1);
  CHECK(ui.exists("Next##lesson"));
  CHECK(ui.workspace().model == "worked");
  ui.click("Close##lesson");
  CHECK(ui.workspace().text == "My own story.");
  CHECK(ui.workspace().model == "stories");
}

TEST_CASE("hints come one by one, and what is to be tried says when it is done") {
  UiDriver ui(withLessons("02_averages_to_attention"));
  ui.click("step 10##lesson");
  CHECK(ui.texts().find("To do") != std::string::npos);
  ui.click("Hint");
  ui.click("Another hint");
  CHECK_FALSE(ui.exists("Another hint"));
  ui.click("Text", 0.5f, 0.5f);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("We our cats");
  ui.press(ImGuiKey_Escape);
  CHECK(ui.texts().find("Done") != std::string::npos);
  ui.click("Text", 0.5f, 0.5f);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("We wash our cats");
  ui.press(ImGuiKey_Escape);  // another text: what was done stays done
  CHECK(ui.texts().find("To do") == std::string::npos);
}

TEST_CASE("a cell is predicted by choosing it on the stage") {
  UiDriver ui(withLessons("01_first_five_minutes"));
  ui.click("step 4##lesson");
  CHECK(ui.find("Check##lesson").disabled);
  const float last = 18.5f / 19;
  ui.click("attention", 6.5f / 19, 6.5f / 19);  // not that row
  ui.click("attention", 6.5f / 19, last);
  CHECK_FALSE(ui.exists("Restore page"));
  CHECK(ui.texts().find("·The attends to ·street") != std::string::npos);
  ui.click("Check##lesson");
  CHECK(ui.texts().find("Right: ·The attends to ·street.") != std::string::npos);
}

TEST_CASE("a lesson is presented: its words stay beside the stage, and a clicker turns its pages") {
  UiDriver ui(withLessons("04_masks"));
  ui.press(ImGuiKey_F5);
  CHECK(ui.layoutFaults() == "");
  ui.press(ImGuiKey_PageDown);
  CHECK(ui.workspace().lesson.step == 1);
  ui.screenshot("lesson_presented");
  ui.press(ImGuiKey_Escape);
  CHECK(ui.exists("Text"));
}

TEST_CASE("a lesson's file is read again when it changes, and a damaged one leaves the last good version") {
  const TemporaryFolder folder;
  const fs::path file = folder / "own.md";
  write(file, twoSteps);
  LessonShelf shelf({});
  REQUIRE(shelf.open(file.string()));
  CHECK_FALSE(shelf.refresh());
  const auto rewrite = [&](const std::string& text, int seconds) {
    write(file, text);
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(seconds));
  };
  rewrite(std::string(twoSteps) + "---\nA third.\n", 2);
  CHECK(shelf.refresh());
  CHECK(shelf.current(file.string())->stepCount() == 3);
  rewrite("---\ntitle: [\n", 4);
  CHECK(shelf.refresh());
  CHECK(shelf.wrong().find("line ") != std::string::npos);
  CHECK(shelf.current(file.string())->stepCount() == 3);
}

TEST_CASE("a damaged lesson is refused with line and field, and nothing is lost") {
  const TemporaryFolder folder;
  UiDriver::Options options = withLessons("");
  options.workspace.text = "My own story.";
  UiDriver ui(options);
  std::string damaged = twoSteps;
  damaged.replace(damaged.find("view: tokens"), 12, "veiw: tokens");
  write(folder / "damaged.md", damaged);
  ui.app().open(folder / "damaged.md");
  ui.settle();
  CHECK(ui.app().message().find("line 10") != std::string::npos);
  CHECK(ui.app().message().find("veiw") != std::string::npos);
  CHECK(ui.workspace().text == "My own story.");
  CHECK_FALSE(ui.workspace().lesson.isOpen());
}

TEST_CASE("a lesson that is gone says so, and can be closed") {
  UiDriver::Options options = withLessons("");
  options.workspace.lesson.lesson = "/nowhere/lesson.md";
  options.workspace.text = "My own story.";
  UiDriver ui(options);
  CHECK(ui.app().message().find("/nowhere/lesson.md") != std::string::npos);
  CHECK(ui.texts().find("cannot be read") != std::string::npos);
  ui.click("Close##lesson");
  CHECK_FALSE(ui.workspace().lesson.isOpen());
  CHECK(ui.workspace().text == "My own story.");
}

TEST_CASE("what is looked at is kept as the next step of a lesson of one's own") {
  const TemporaryFolder folder;
  const fs::path file = folder / "own.md";
  write(file, twoSteps);
  UiDriver ui(withLessons(file.string()));
  ui.press(keyOfView(0));
  ui.click("Text", 0.5f, 0.5f);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type("The old dog slept.");
  ui.press(ImGuiKey_Escape);
  const Workspace kept = ui.workspace();
  ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
  ui.type("Keep this state");
  ui.press(ImGuiKey_Enter);
  CHECK(ui.app().message() == "");
  CHECK(textFile(file).starts_with(twoSteps));
  CHECK(ui.workspace().lesson.step == 2);
  CHECK(ui.workspace().text == kept.text);
  CHECK(ui.workspace().view == kept.view);
  CHECK(ui.workspace().selection == kept.selection);
  CHECK_FALSE(ui.exists("Restore page"));
}

TEST_CASE("the first start begins with a lesson, and what it says is so") {
  UiDriver ui(withLessons("01_first_five_minutes", true));
  // every picture follows with every key
  const int before = ui.snapshot().pass->trace->tokenCount();
  ui.click("Text", 0.5f, 0.5f);
  for (const char* key : {" ", "c", "a", "t"}) {
    ui.type(key);
    CHECK(ui.snapshot().pass->text == ui.workspace().text);
  }
  CHECK(ui.snapshot().pass->trace->tokenCount() > before);
  ui.press(ImGuiKey_Escape);
  // sixteen heads
  ui.click("step 6##lesson");
  for (int layer = 0; layer < 4; ++layer)
    for (int head = 0; head < 4; ++head)
      CHECK(ui.exists("head " + std::to_string(layer) + "." + std::to_string(head)));
  // the number keys switch between views
  for (std::size_t i = 0; i < 5; ++i) {
    ui.press(keyOfView(static_cast<int>(i)));
    CHECK(ui.workspace().view == views()[i].id);
  }
  // → and ← go through the model
  ui.click("step 8##lesson");
  const int step = ui.step();
  ui.press(ImGuiKey_RightArrow);
  CHECK(ui.step() == step + 1);
  ui.press(ImGuiKey_LeftArrow);
  CHECK(ui.step() == step);
  // Space appends one token, undo takes it back
  ui.click("step 9##lesson");
  const std::string text = ui.workspace().text;
  ui.press(ImGuiKey_Space);
  CHECK(ui.workspace().text != text);
  ui.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  CHECK(ui.workspace().text == text);
  // a question mark shows all keys, F5 presents
  ui.press(keyOfView(0));
  ui.type("?");
  CHECK(ui.exists("Close##keys"));
  ui.press(ImGuiKey_Escape);
  ui.press(ImGuiKey_F5);
  CHECK_FALSE(ui.exists("Text"));
  ui.press(ImGuiKey_F5);
  CHECK(ui.exists("Text"));
}

TEST_CASE("the palette goes to a step of the open lesson, by its number or by what it says") {
  UiDriver ui(withLessons("02_averages_to_attention"));
  const auto find = [&](const char* words) {
    ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
    ui.type(words);
    ui.press(ImGuiKey_Enter);
    return ui.workspace().lesson.step;
  };
  CHECK(find("lesson step 7") == 6);
  CHECK(find("softmax sees differences only") == 8);
}

TEST_CASE("how far one came is remembered, and the last step leads to the next lesson") {
  UiDriver ui(withLessons("01_first_five_minutes"));
  ui.press(ImGuiKey_PageDown);
  CHECK(ui.workspace().look.reached.at("01_first_five_minutes") == 2);
  const int last = LessonShelf(lessonsFolder).ships().front()->stepCount();
  CHECK_FALSE(ui.exists("Next lesson"));
  ui.click("step " + std::to_string(last) + "##lesson");
  ui.click("Next lesson");
  CHECK(ui.workspace().lesson.lesson == "02_averages_to_attention");
  CHECK(ui.workspace().lesson.step == 0);
  ui.press(ImGuiKey_L, ImGuiMod_Shift);
  CHECK(ui.texts().find("✓") != std::string::npos);
  ui.screenshot("lessons_reached");
}
