// What a lesson asks cannot be read off the window before it is answered.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/lesson/clues.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "imgui_internal.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/lesson_window.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// What is on screen beside the lesson, of what this step asks.
Clues cluesFor(UiDriver& ui, const LessonStep& step) {
  std::vector<ShownText> texts;
  ui.app().painter().keepTexts(true);
  ui.frames(1);
  for (const DrawnText& text : ui.app().painter().texts())
    if (const std::string window = text.list->_OwnerName ? text.list->_OwnerName : ""; window != "Lesson")
      texts.push_back({window, text.text, text.value});
  ui.app().painter().keepTexts(false);
  return {step, ui.snapshot(), std::move(texts), ui.exists("token 0")};
}

// Walks through a lesson, answers what it asks, and says what had given an answer away: at its own step, or
// at the end of the one before where that is about the same text and model.
std::string walked(UiDriver& ui, const Lesson& lesson, const std::string& look) {
  std::string faults;
  std::optional<Clues> earlier;
  Content earlierContent;
  for (int i = 0; i < lesson.stepCount(); ++i) {
    REQUIRE(ui.workspace().lesson.step == i);
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(i)];
    if (step.question) {
      const Clues clues = cluesFor(ui, step);
      if (earlierContent != ui.workspace().content()) earlier.reset();
      ui.screenshot("lesson_asks/" + lesson.id + "_" + std::to_string(i + 1) + look);
      answer(ui, *step.question);
      ui.screenshot("lesson_asks/" + lesson.id + "_" + std::to_string(i + 1) + "_answered" + look);
      CHECK(ui.canClick(ui.find("Retry##prediction")));  // what was right, and why, stands above it
      const auto came = answerOf(*step.question, ui.snapshot());
      REQUIRE(came);
      const std::string given = clues.givenAway(*came) + (earlier ? earlier->givenAway(*came) : "");
      if (!given.empty()) faults += "step " + std::to_string(i + 1) + ": " + given.substr(0, 300) + "\n";
    }
    if (i + 1 == lesson.stepCount()) break;
    const LessonStep& next = lesson.steps[static_cast<std::size_t>(i) + 1];
    earlier.reset();
    if (next.question) earlier.emplace(cluesFor(ui, next));
    earlierContent = ui.workspace().content();
    ui.click("Next##lesson");
  }
  return faults;
}

}  // namespace

TEST_CASE("nothing on screen gives an answer away before it is asked for") {
  const LessonShelf shelf(lessonsFolder);
  for (const bool presented : {false, true}) {
    UiDriver ui(withLessons(shelf.ships().front()->id, !presented));
    if (presented) ui.press(ImGuiKey_F5);
    for (const auto& lesson : shelf.ships()) {
      INFO(lesson->id << (presented ? ", presented" : ""));
      ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
      ui.type("Lesson: " + lesson->title);
      ui.press(ImGuiKey_Enter);
      CHECK(walked(ui, *lesson, presented ? "_presented" : "_wide") == "");
    }
  }
}

TEST_CASE("a number that one has pointed at is not there any more where the next step asks") {
  UiDriver ui(withLessons("14_inside_a_head", true));
  ui.hover("attention", 0.1f, 0.1f);
  CHECK(ui.texts().find("Point at a number") == std::string::npos);
  ui.hover("Text");
  CHECK(ui.texts().find("Point at a number") == std::string::npos);  // it stays while one reads
  ui.press(ImGuiKey_PageDown);
  CHECK(ui.texts().find("Point at a number") != std::string::npos);
}

// The check itself finds what it is for.
TEST_CASE("what gives an answer away is found: digits, what comes next, counts, and the step before") {
  const TemporaryFolder folder;
  const std::string begin = "---\ntitle: Own\nmodel: stories\n---\n",
                    story =
                        "text: \"The animal didn't cross the street because it was too tired. What was too "
                        "tired? The\"\nview: attention\npicture: matrix\nhead: \"2.0\"\n",
                    weight = "answer: blocks.2.attn.hook_pattern[0, -1, \"animal\"]\n",
                    row = "highlight: blocks.2.attn.hook_pattern[0, -1, :]\n";
  const auto found = [&](const std::string& steps) {
    write(folder / "own.md", begin + steps);
    UiDriver ui(withLessons("", true));
    ui.app().open(folder / "own.md");
    ui.settle();
    const auto lesson = readLessonFile(folder / "own.md");
    REQUIRE(lesson);
    return walked(ui, *lesson, "");
  };
  const auto asked = [&](const std::string& kind, const std::string& block) {
    return "What?\n\n" + kind + "\n\n```glassformer\n" + story + block + "```\n";
  };
  const std::string number = "[[number]]", token = "[[token]]", choices = "- [( )] animal\n- [( )] street";
  CHECK_THAT(found(asked(number, weight)), ContainsSubstring("Stage: .97"));
  CHECK(found(asked(number, weight + "cover: numbers\n")) == "");
  CHECK(found(asked(number, weight + row + "cover: cells\n")) == "");
  const std::string most = "answer: argmax blocks.2.attn.hook_pattern[0, -1, :]\n";
  CHECK_THAT(found(asked(token, most)), ContainsSubstring("Stage: 0.97"));
  CHECK(found(asked(token, most + row + "cover: cells\n")) == "");
  CHECK_THAT(found(asked(choices, "answer: next\n")), ContainsSubstring("Timeline: 97.9 %"));
  CHECK(found(asked(choices, "answer: next\ncover: next\n")) == "");
  CHECK_THAT(found("How many tokens?\n\n[[number]]\n\n```glassformer\n" + story + "answer: tokens\n```\n"),
             ContainsSubstring("Input: 19 tokens"));
  CHECK_THAT(found("Look.\n\n```glassformer\n" + story + "```\n---\n" +
                   asked(choices, "answer: next\ncover: next\n")),
             ContainsSubstring("step 2: Timeline: 97.9 %"));
}
