#include "app/lesson/lesson_check.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "app/cli/computed.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_shelf.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const ModelLibrary& library() {
  static const ModelLibrary shipped(SOURCE_FOLDER "/app");
  return shipped;
}

std::string faults(const std::string& steps) {
  const auto lesson = readLesson("---\ntitle: A\nmodel: worked\n---\n" + steps);
  if (!lesson) FAIL(lesson.error().message());
  Computer computer(library());
  std::string all;
  for (const std::string& fault : faultsOf(*lesson, std::ref(computer))) all += fault + "\n";
  return all;
}

std::string block(const std::string& yaml) { return "Words.\n\n```glassformer\n" + yaml + "\n```\n"; }

}  // namespace

TEST_CASE("every lesson that ships holds: its claims, answers and highlights", "[accuracy]") {
  const LessonShelf shelf(SOURCE_FOLDER "/assets/lessons");
  for (const Error& error : shelf.unreadable()) FAIL_CHECK(error.message());
  CHECK(shelf.ships().size() >= 14);
  Computer computer(library());
  for (const auto& lesson : shelf.ships())
    for (const std::string& fault : faultsOf(*lesson, std::ref(computer)))
      FAIL_CHECK(lesson->id << ", " << fault);
}

TEST_CASE("a lesson that ships has 6 to 15 steps, predicts, and lets one try") {
  const LessonShelf shelf(SOURCE_FOLDER "/assets/lessons");
  std::set<std::string> titles;
  for (const auto& lesson : shelf.ships()) {
    INFO(lesson->id);
    CHECK(titles.insert(lesson->title).second);
    CHECK(lesson->audience != "");
    CHECK(lesson->minutes > 0);
    CHECK(lesson->stepCount() >= 6);
    CHECK(lesson->stepCount() <= 15);
    int questions = 0;
    for (const LessonStep& step : lesson->steps) questions += step.question.has_value();
    CHECK(questions >= 3);
  }
}

// A presentation has its controls elsewhere; how long something takes depends on the machine.
TEST_CASE("a lesson that ships says no place of a control, and no time") {
  const LessonShelf shelf(SOURCE_FOLDER "/assets/lessons");
  const std::regex placeOrTime(
      "(on|at|to) the (left|right|top|bottom)|top right|top left|down here|"
      "(above|below|beside) the (picture|stage|matrix|text)|[0-9] (s|seconds|minutes)\\b|in seconds",
      std::regex::icase);
  for (const auto& lesson : shelf.ships())
    for (const LessonStep& step : lesson->steps) {
      std::vector<std::string> all = step.hints;
      all.push_back(step.note);
      for (const Paragraph& paragraph : step.prose)
        for (const Span& span : paragraph.spans) all.push_back(span.text);
      for (const std::string& words : all) {
        INFO(lesson->id << ", line " << step.line << ": " << words);
        CHECK_FALSE(std::regex_search(words, placeOrTime));
      }
    }
}

TEST_CASE("what a lesson claims and does not hold is found, with its line") {
  CHECK(faults(block("claim: tokens == 4")) == "");
  CHECK_THAT(faults(block("claim: tokens == 5")),
             ContainsSubstring("line 8, claim: tokens == 5 is false (4"));
  CHECK_THAT(faults(block("claim: blocks.3.hook_resid_pre[0, 0] > 0")), ContainsSubstring("there is no"));
  CHECK_THAT(faults(block("highlight: nothing[0]")), ContainsSubstring("line 8, highlight"));
  CHECK_THAT(faults(block("view: nowhere")), ContainsSubstring("no view \"nowhere\""));
  CHECK_THAT(faults(block("view: attention\npicture: sky")), ContainsSubstring("no picture \"sky\""));
  CHECK_THAT(faults(block("view: step\nstep: blocks.9.hook_mlp_out")), ContainsSubstring("no step"));
  CHECK_THAT(faults(block("model: nowhere")), ContainsSubstring("nowhere"));
  CHECK_THAT(faults(block("until: tokens == 4")), ContainsSubstring("true from the start"));
  CHECK(faults(block("until: tokens == 5")) == "");
  CHECK_THAT(faults("Which?\n\n- [( )] dogs\n- [( )] birds\n\n```glassformer\nanswer: token(1)\n```\n"),
             ContainsSubstring("\"wash\", which is none of the choices"));
  CHECK_THAT(faults("How?\n\n[[number]]\n\n```glassformer\nanswer: next\n```\n"),
             ContainsSubstring("not 1 number"));
  const auto asked = [](const std::string& why) {
    return faults("How many?\n\n[[number]]\n\n```glassformer\nanswer: 2 * tokens\n" + why + "```\n");
  };
  CHECK(asked("why: It has four words.\n") == "");
  CHECK_THAT(asked(""), ContainsSubstring("why: write one sentence"));
  std::string words = "why: One";
  for (int i = 1; i < 20; ++i) words += " word";
  CHECK(asked(words + ".\n") == "");
  CHECK_THAT(asked(words + " more.\n"), ContainsSubstring("why: it has more than 20 words"));
}

TEST_CASE("what gives an answer away before it is asked for is found, and what covers it") {
  const auto asked = [](const std::string& question, const std::string& yaml) {
    return faults(question +
                  "\n\n```glassformer\ntext: We wash our cats\nview: attention\npicture: matrix\nquery: 0\n"
                  "why: It is so.\n" +
                  yaml + "\n```\n");
  };
  const std::string much = "How much?\n\n[[number]]", which = "Which?\n\n[[token]]",
                    many = "How many tokens?\n\n[[number]]", next = "Next?\n\n- [( )] We\n- [( )] cats",
                    same = "Alike?\n\n- [(X)] yes\n- [( )] no";
  const std::string
      one = "answer: blocks.0.attn.hook_pattern[0, 0, 1]\n",
      most = "answer: argmax blocks.0.attn.hook_pattern[0, 0, :]\n",
      row = "highlight: blocks.0.attn.hook_pattern[0, 0, :]\n",
      rows = "claim: abs(blocks.0.attn.hook_pattern[0, 0, 1] - blocks.0.attn.hook_pattern[0, 2, 1]) < 0.1\n";
  CHECK_THAT(asked(much, one), ContainsSubstring("cover: this gives the answer away: Stage: 0.48"));
  CHECK(asked(much, one + "cover: numbers") == "");
  CHECK(asked(much, one + row + "cover: cells") == "");
  CHECK_THAT(asked(which, most), ContainsSubstring("Stage: 0.48"));
  CHECK(asked(which, most + row + "cover: cells") == "");
  CHECK_THAT(asked(same, rows), ContainsSubstring("Stage: 0.48"));
  CHECK(asked(same, rows + row + "cover: cells") == "");
  CHECK_THAT(asked(many, "answer: tokens"), ContainsSubstring("Input: 4 tokens"));
  CHECK(asked(many, "answer: tokens\ncover: tokens") == "");
  CHECK_THAT(asked(next, "answer: next"), ContainsSubstring("Timeline: "));
  CHECK(asked(next, "answer: next\ncover: next") == "");
  // Nor does the step before.
  const auto twice = [&](const std::string& cover) {
    return faults(
        "Look.\n\n```glassformer\ntext: We wash our cats\nview: attention\npicture: matrix\nquery: 0\n" +
        cover + "```\n---\n" + much + "\n\n```glassformer\nwhy: It is so.\ncover: numbers\n" + one + "```\n");
  };
  CHECK_THAT(twice(""), ContainsSubstring("cover: this gives the answer away: Stage: 0.48"));
  CHECK(twice("cover: numbers\n") == "");
  // What is revealed is measured then.
  CHECK(asked(much, one + "reveal: {set: {scale_attn_weights: \"no\"}}") == "");
}

TEST_CASE("a prediction is right as far as its question allows") {
  LessonQuestion question;
  question.kind = LessonQuestion::Kind::Number, question.tolerance = 0.1f;
  Answer answer;
  answer.values = {0.5f};
  CHECK(isRight(question, {{0.55f}, true}, answer));
  CHECK_FALSE(isRight(question, {{0.65f}, true}, answer));
  question.kind = LessonQuestion::Kind::Token;
  answer.values = {3};
  CHECK(isRight(question, {{3}, true}, answer));
  CHECK_FALSE(isRight(question, {{4}, true}, answer));
  question.kind = LessonQuestion::Kind::Bars;
  answer.values = {0.2f, 0.8f};
  CHECK(isRight(question, {{0.25f, 0.75f}, true}, answer));
  CHECK_FALSE(isRight(question, {{0.25f, 0.5f}, true}, answer));
  CHECK_FALSE(isRight(question, {{}, true}, answer));
  question.kind = LessonQuestion::Kind::Choice;
  answer.choice = 1;
  CHECK(isRight(question, {{1}, true}, answer));
  CHECK_FALSE(isRight(question, {{0}, true}, answer));
}

// The guide's example is a lesson that holds.
TEST_CASE("the example of the guide to writing lessons is a lesson", "[accuracy]") {
  std::ifstream in(SOURCE_FOLDER "/assets/lessons/README.md");
  const std::string guide{std::istreambuf_iterator<char>(in), {}};
  const std::size_t begin = guide.find("````markdown\n") + 13, end = guide.find("\n````\n", begin);
  const auto lesson = readLesson(guide.substr(begin, end - begin));
  if (!lesson) FAIL(lesson.error().message());
  CHECK(lesson->stepCount() == 2);
  Computer computer(library());
  for (const std::string& fault : faultsOf(*lesson, std::ref(computer))) FAIL_CHECK(fault);
}
