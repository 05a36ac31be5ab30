// What a room or a class says to a lesson, in the real window.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/lesson_window.h"

using namespace glassformer;

TEST_CASE("a room votes: hands are counted beside each choice, and stay with the step") {
  UiDriver ui(withLessons("13_choosing_words"));
  ui.press(ImGuiKey_PageDown);
  ui.click("Class poll");
  for (int i = 0; i < 3; ++i) ui.click("more##A##votes");
  ui.click("more##B##votes");
  CHECK(ui.workspace().lesson.votes.at(1) == std::vector<int>{3, 1});
  ui.click("less##A##votes");
  CHECK(ui.workspace().lesson.votes.at(1) == std::vector<int>{2, 1});
  CHECK(coveredNow(LessonShelf(lessonsFolder).ships()[12].get(), ui.workspace()) != Cover{});
  CHECK(ui.layoutFaults() == "");
  ui.click("A: Die##choice");
  CHECK(ui.layoutFaults() == "");
  ui.screenshot("lesson_votes");
  ui.press(ImGuiKey_PageDown);
  ui.press(ImGuiKey_PageUp);
  CHECK(ui.workspace().lesson.votes.at(1) == std::vector<int>{2, 1});
}

TEST_CASE("what a class hands in is a file: saved by each, opened together, and held against the model") {
  const TemporaryFolder folder;
  const auto hand = [&](const std::string& name, const std::string& lines) {
    write(folder / name, "glassformer answers,02_averages_to_attention\n" + lines);
    return folder / name;
  };
  for (const bool wide : {false, true}) {
    UiDriver ui(withLessons("01_first_five_minutes", wide, !wide));
    const std::string look = wide ? "_wide_light" : "_dark";
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
    CHECK(ui.texts().find("Class: 4 answers.") != std::string::npos);
    ui.click("more##Your guess");
    ui.click("Check##lesson");
    CHECK(ui.texts().find("Class: 2 of 4 are right.") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("lesson_room_number" + look);
    ui.click("step 7##lesson");
    ui.click("C: nearly 1##choice");
    CHECK(ui.texts().find("Class: 3 of 4 are right.") != std::string::npos);
    CHECK(ui.layoutFaults() == "");
    ui.screenshot("lesson_room_choice" + look);
    ui.click("Forget##room");
    CHECK(ui.texts().find("Class:") == std::string::npos);
    if (wide) continue;

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
  CHECK(ui.app().message().find("\"one\" is not a number") != std::string::npos);
  write(folder / "other.csv", "glassformer answers,mine.md\n1,1\n");
  ui.app().open(folder / "other.csv");
  CHECK(ui.app().message().find("open that lesson first") != std::string::npos);
  CHECK(ui.workspace() == before);
}

TEST_CASE("what a room says of tokens, cells and bars is drawn, and stays beside what the model says") {
  using Kind = LessonQuestion::Kind;
  const TemporaryFolder folder;
  const LessonShelf shelf(lessonsFolder);
  for (const bool wide : {false, true})
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
      UiDriver ui(withLessons(id, wide, !wide));
      ui.app().open(folder / "room.csv");
      ui.settle();
      CHECK(ui.app().message() == "");
      ui.click("step " + step + "##lesson");
      const std::string texts = ui.texts();
      INFO(texts);
      const auto label = [&](int i) { return ui.snapshot().pass->tokens[static_cast<std::size_t>(i)].label; };
      if (kind == Kind::Token) CHECK(texts.find(label(1) + "\n3\n") != std::string::npos);
      if (kind == Kind::Cell) {
        CHECK(texts.find(label(7) + " attends to " + label(1) + "\n2\n") != std::string::npos);
        CHECK(texts.find(label(7) + " attends to " + label(5) + "\n1\n") != std::string::npos);
      }
      CHECK(texts.find("Class: ") != std::string::npos);
      answer(ui, *found->question);
      CHECK(ui.layoutFaults() == "");
      ui.screenshot(std::string("lesson_room_") + name + (wide ? "_wide_light" : "_dark"));
    }
}
