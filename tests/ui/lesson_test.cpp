// Lessons in the real window, with the models that ship.
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "app/document/session.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/lesson_panel.h"
#include "app/views/views.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/ui_driver.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

const fs::path lessonsFolder = fs::path(SOURCE_FOLDER) / "assets" / "lessons";

UiDriver::Options withLessons(const std::string& lesson, bool wide = false, bool dark = true) {
  static const ModelLibrary library(fs::path(SOURCE_FOLDER) / "app");
  UiDriver::Options options;
  options.loader = [](const std::string& name, const Watch& watch) { return library.load(name, watch); };
  options.lessons = lessonsFolder;
  options.lesson = lesson;
  options.workspace.look.dark = dark, options.workspace.look.followsSystem = false;
  if (wide) options.width = 1920, options.height = 1080;
  return options;
}

std::string textFile(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

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

// Predicts, whatever the question is, and whether or not it is right.
void answer(UiDriver& ui, const LessonQuestion& question) {
  using Kind = LessonQuestion::Kind;
  if (question.kind == Kind::Choice) ui.click("A: " + question.choices.front() + "##choice");
  if (question.kind == Kind::Token) ui.click(ui.snapshot().pass->tokens.front().label + "##token 0");
  if (question.kind == Kind::Bars) ui.click(question.choices.front() + "##bar 0", 0.3f, 0.5f);
  if (question.kind == Kind::Cell) ui.click("attention", 0.02f, 0.5f);
  if (question.kind == Kind::Bars || question.kind == Kind::Number || question.kind == Kind::Cell)
    ui.click("Check##lesson");
}

// Small and dark, then large and light.
template <typename See>
void inBothLooks(UiDriver& ui, See see) {
  see("");
  ui.lookAs(usualLooks[3]);
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
        CHECK_FALSE(ui.exists("goes on##lesson"));
        CHECK_FALSE(ui.exists("Back to the lesson"));
        CHECK(ui.layoutFaults().substr(0, 600) == "");
        ui.screenshot(seen);
      };
      inBothLooks(ui, [&](const char* look) {
        see(name + look);
        CHECK(isCovered(lesson.get(), ui.workspace()) == step.covers);
      });
      if (step.question) {
        answer(ui, *step.question);
        ui.settle();
        inBothLooks(ui, [&](const char* look) {
          see(name + look + "_answered");
          CHECK_FALSE(isCovered(lesson.get(), ui.workspace()));
          CHECK(ui.texts().find("This run has no answer") == std::string::npos);
          CHECK(ui.exists("Again##prediction"));
        });
      }
      if (i + 1 < lesson->stepCount()) ui.click("Next##lesson");
    }
  }
}

TEST_CASE("a prediction uncovers what it was about, stays beside what came, and can be taken back") {
  UiDriver ui(withLessons("01_first_five_minutes"));
  ui.press(ImGuiKey_PageDown);
  CHECK_FALSE(ui.exists("attention"));  // the stage
  CHECK_FALSE(ui.exists("Step"));       // what comes next
  CHECK(ui.texts().find("What do you expect?") != std::string::npos);
  ui.click("B: street##choice");
  CHECK(ui.exists("attention"));
  CHECK(ui.texts().find("The model says: animal.") != std::string::npos);
  CHECK(ui.workspace().lesson.guesses.at(1).values == std::vector<float>{1});
  ui.click("A: animal##choice");  // it is too late for that
  CHECK(ui.workspace().lesson.guesses.at(1).values == std::vector<float>{1});
  ui.click("Again##prediction");
  CHECK_FALSE(ui.exists("attention"));
  ui.click("A: animal##choice");
  CHECK(ui.texts().find("Yes: animal.") != std::string::npos);
  ui.press(ImGuiKey_PageDown);
  ui.press(ImGuiKey_PageUp);
  CHECK(ui.texts().find("Yes: animal.") != std::string::npos);
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
  CHECK(ui.texts().find("Yes: animal.") != std::string::npos);
  std::string text = ui.workspace().text;
  for (std::size_t at; (at = text.find("tired")) != std::string::npos;) text.replace(at, 5, "wide");
  ui.click("Text", 0.5f, 0.5f);
  ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
  ui.type(text);
  ui.press(ImGuiKey_Escape);
  CHECK(ui.texts().find("The model says: street.") != std::string::npos);
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
  CHECK_FALSE(ui.exists("Back to the lesson"));
  ui.press(keyOfView(2));
  ui.press(ImGuiKey_Space);
  CHECK(ui.exists("Back to the lesson"));
  ui.click("Back to the lesson");
  CHECK(ui.workspace().view == "attention");
  CHECK_FALSE(ui.exists("Back to the lesson"));
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
}

TEST_CASE("a cell is predicted by choosing it on the stage") {
  UiDriver ui(withLessons("01_first_five_minutes"));
  ui.click("step 4##lesson");
  CHECK(ui.find("Check##lesson").disabled);
  const float last = 18.5f / 19;
  ui.click("attention", 6.5f / 19, 6.5f / 19);  // not that row
  ui.click("attention", 6.5f / 19, last);
  CHECK_FALSE(ui.exists("Back to the lesson"));
  CHECK(ui.texts().find("·The looks at ·street") != std::string::npos);
  ui.click("Check##lesson");
  CHECK(ui.texts().find("Yes: ·The looks at ·street.") != std::string::npos);
}

TEST_CASE("a room votes: hands are counted beside each choice, and stay with the step") {
  UiDriver ui(withLessons("13_choosing_words"));
  ui.press(ImGuiKey_PageDown);
  ui.click("The room votes");
  for (int i = 0; i < 3; ++i) ui.click("more##A##votes");
  ui.click("more##B##votes");
  CHECK(ui.workspace().lesson.votes.at(1) == std::vector<int>{3, 1});
  ui.click("less##A##votes");
  CHECK(ui.workspace().lesson.votes.at(1) == std::vector<int>{2, 1});
  CHECK(isCovered(LessonShelf(lessonsFolder).ships()[12].get(), ui.workspace()));
  CHECK(ui.layoutFaults() == "");
  ui.click("A: Die##choice");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("lesson_votes");
  ui.press(ImGuiKey_PageDown);
  ui.press(ImGuiKey_PageUp);
  CHECK(ui.workspace().lesson.votes.at(1) == std::vector<int>{2, 1});
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
  CHECK_FALSE(ui.exists("Back to the lesson"));
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

TEST_CASE("what a class hands in is a file: saved by each, opened together, and held against the model") {
  const TemporaryFolder folder;
  const auto hand = [&](const std::string& name, const std::string& lines) {
    write(folder / name, "glassformer answers,02_averages_to_attention\n" + lines);
    return folder / name;
  };
  for (const bool wide : {false, true})
    for (const bool dark : {true, false}) {
      UiDriver ui(withLessons("01_first_five_minutes", wide, dark));
      const std::string look = std::string(wide ? "_wide" : "") + (dark ? "_dark" : "_light");
      // The lesson that they answer opens.
      ui.app().open(hand("one.csv", "2,1\n4,3\n7,2\n"));
      ui.app().open(hand("class.csv",
                         "2,0.5\n7,0\nglassformer answers,02_averages_to_attention\n2,1\n7,2\n"
                         "glassformer answers,02_averages_to_attention\n2,4\n7,2\n"));
      ui.settle();
      CHECK(ui.app().message() == "");
      CHECK(ui.workspace().lesson.lesson == "02_averages_to_attention");
      CHECK(ui.workspace().lesson.room.at(1).size() == 4);
      ui.click("step 2##lesson");
      CHECK(ui.texts().find("The room: 4 answers.") != std::string::npos);
      ui.click("Check##lesson");
      CHECK(ui.texts().find("The room: 2 of 4 are right.") != std::string::npos);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("lesson_room_number" + look);
      ui.click("step 7##lesson");
      ui.click("C: nearly 1##choice");
      CHECK(ui.texts().find("The room: 3 of 4 are right.") != std::string::npos);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot("lesson_room_choice" + look);
      ui.click("Forget##room");
      CHECK(ui.texts().find("The room:") == std::string::npos);
      if (wide || dark) continue;

      // One's own, saved from the palette.
      ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
      ui.type("save my answers");
      ui.press(ImGuiKey_Enter);
      ui.press(ImGuiKey_A, ImGuiMod_Ctrl);
      ui.type((folder / "mine.csv").string());
      ui.press(ImGuiKey_Enter);
      CHECK(textFile(folder / "mine.csv") == "glassformer answers,02_averages_to_attention\n2,0\n7,2\n");
      ui.app().open(folder / "mine.csv");
      ui.settle();
      CHECK(ui.workspace().lesson.room.at(1).size() == 5);
    }
  UiDriver ui(withLessons("02_averages_to_attention"));
  const Workspace before = ui.workspace();
  ui.app().open(hand("wrong.csv", "2,one\n"));
  CHECK(ui.app().message().find("\"one\" is no number") != std::string::npos);
  write(folder / "other.csv", "glassformer answers,mine.md\n1,1\n");
  ui.app().open(folder / "other.csv");
  CHECK(ui.app().message().find("open that lesson first") != std::string::npos);
  CHECK(ui.workspace() == before);
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

TEST_CASE("what a room says of tokens, cells and bars is drawn, and stays beside what the model says") {
  using Kind = LessonQuestion::Kind;
  const TemporaryFolder folder;
  const LessonShelf shelf(lessonsFolder);
  for (const bool wide : {false, true})
    for (const bool dark : {true, false})
      for (const auto& [id, kind, name] : {std::tuple{"01_first_five_minutes", Kind::Token, "token"},
                                           std::tuple{"01_first_five_minutes", Kind::Cell, "cell"},
                                           std::tuple{"02_averages_to_attention", Kind::Bars, "bars"}}) {
        const auto& lesson =
            **std::ranges::find(shelf.ships(), std::string(id), [](const auto& l) { return l->id; });
        const auto found = std::ranges::find_if(
            lesson.steps, [&](const LessonStep& s) { return s.question && s.question->kind == kind; });
        REQUIRE(found != lesson.steps.end());
        const std::string step = std::to_string(found - lesson.steps.begin() + 1);
        const auto all = [&](const std::vector<std::string>& values) {
          std::string lines;
          for (const std::string& one : values)
            lines += "glassformer answers," + std::string(id) + "\n" + step + "," + one + "\n";
          return lines;
        };
        std::string bars = "0.2";
        for (std::size_t i = 1; i < found->question->choices.size(); ++i) bars += ",0.4";
        write(folder / "room.csv", all(kind == Kind::Token  ? std::vector<std::string>{"1", "1", "4", "1"}
                                       : kind == Kind::Cell ? std::vector<std::string>{"7,1", "7,1", "7,5"}
                                                            : std::vector{bars, bars}));
        UiDriver ui(withLessons(id, wide, dark));
        ui.app().open(folder / "room.csv");
        ui.settle();
        CHECK(ui.app().message() == "");
        ui.click("step " + step + "##lesson");
        const std::string texts = ui.texts();
        INFO(texts);
        const auto label = [&](int i) {
          return ui.snapshot().pass->tokens[static_cast<std::size_t>(i)].label;
        };
        if (kind == Kind::Token) CHECK(texts.find(label(1) + "\n3\n") != std::string::npos);
        if (kind == Kind::Cell) {
          CHECK(texts.find(label(7) + " looks at " + label(1) + "\n2\n") != std::string::npos);
          CHECK(texts.find(label(7) + " looks at " + label(5) + "\n1\n") != std::string::npos);
        }
        CHECK(texts.find("The room: ") != std::string::npos);
        answer(ui, *found->question);
        CHECK(ui.layoutFaults() == "");
        ui.screenshot(std::string("lesson_room_") + name + (wide ? "_wide" : "") +
                      (dark ? "_dark" : "_light"));
      }
}
