#include "app/lesson/lecture.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const LessonShelf& shelf() {
  static const LessonShelf ships(SOURCE_FOLDER "/assets/lessons");
  return ships;
}

Result<Lesson> planned(const TemporaryFolder& folder, const std::string& rows) {
  const auto file = folder / "plan.md";
  REQUIRE(writeFile(file,
                    "# A plan\n\nFor a class: words. 9 minutes.\n\n| min | topic | show | slips |\n"
                    "|---|---|---|---|\n" +
                        rows));
  CHECK(isLectureFile(file));
  CHECK(isLessonFile(file));
  return readLectureFile(file, shelf().ships());
}

// What a step shows once it is answered.
Workspace shownAt(const Lesson& lesson, int step) {
  Workspace now = initialWorkspace();
  now.lesson.guesses[step] = {{0}, true};
  const auto shown = workspaceAt(lesson, step, now);
  REQUIRE(shown);
  return *shown;
}

bool showTheSame(const Workspace& a, const Workspace& b) {
  return a.content() == b.content() && a.inquiry() == b.inquiry() && a.view == b.view &&
         a.settings == b.settings;
}

// The step of a lesson that ships that a lecture took.
std::pair<std::shared_ptr<const Lesson>, int> originOf(const LessonStep& step) {
  for (const auto& lesson : shelf().ships())
    for (int i = 0; i < lesson->stepCount(); ++i)
      if (const LessonStep& own = lesson->steps[static_cast<std::size_t>(i)];
          own.line == step.line && own.shown == step.shown && own.claims == step.claims &&
          own.highlights == step.highlights &&
          own.prose.front().spans.front().text == step.prose.front().spans.front().text)
        return {lesson, i};
  FAIL("no lesson has the step");
  return {};
}

}  // namespace

TEST_CASE("five lectures ship, of 50 to 80 minutes, and say how long they take") {
  CHECK(shelf().lectures().size() == 5);
  for (const Error& error : shelf().unreadable()) FAIL_CHECK(error.message());
  std::set<std::string> titles;
  for (const auto& lecture : shelf().lectures()) {
    INFO(lecture->id);
    CHECK(titles.insert(lecture->title).second);
    CHECK(lecture->audience.starts_with("For a"));
    CHECK(lecture->minutes >= 50);
    CHECK(lecture->minutes <= 80);
    const auto text = readTextFile(lecture->file, 1 << 20);
    CHECK_THAT(*text, ContainsSubstring(std::to_string(lecture->minutes) + " minutes"));
    CHECK(lecture->steps.back().endsAt == lecture->minutes);
    CHECK(shelf().shipped(lecture->id) == lecture);
  }
}

TEST_CASE("a step of a lecture shows what it shows in its lesson") {
  for (const auto& lecture : shelf().lectures())
    for (int i = 0; i < lecture->stepCount(); ++i) {
      INFO(lecture->id << ", step " << i + 1);
      const auto [lesson, step] = originOf(lecture->steps[static_cast<std::size_t>(i)]);
      CHECK(showTheSame(shownAt(*lecture, i), shownAt(*lesson, step)));
    }
}

TEST_CASE("slips are the speaker's, and topics end when their minutes are over") {
  const TemporaryFolder folder;
  const auto lecture = planned(folder,
                               "| 4 | heads, *each* | 05_heads 2-3 | they are `many` |\n"
                               "| 5 | masks | 04_masks 1-1, 06_block 4-4 | |\n");
  if (!lecture) FAIL(lecture.error().message());
  CHECK(lecture->title == "A plan");
  CHECK(lecture->audience == "For a class");
  CHECK(lecture->minutes == 9);
  REQUIRE(lecture->stepCount() == 4);
  CHECK(lecture->steps[0].topic == "heads, each");
  CHECK(lecture->steps[0].note.starts_with("A slip to point out: they are many."));
  CHECK_FALSE(lecture->steps[1].note.starts_with("A slip"));
  CHECK(lecture->steps[1].endsAt == 4);
  CHECK(lecture->steps[2].topic == "masks");
  CHECK(lecture->steps[3].endsAt == 9);
}

TEST_CASE("a plan says in which line it names what is not there") {
  const TemporaryFolder folder;
  const auto fault = [&](const std::string& row) {
    const auto lecture = planned(folder, row);
    return lecture ? "" : lecture.error().message();
  };
  CHECK_THAT(fault("| 4 | heads | 99_heads 1-2 | |\n"), ContainsSubstring("line 7"));
  CHECK_THAT(fault("| 4 | heads | 99_heads 1-2 | |\n"), ContainsSubstring("no lesson \"99_heads\""));
  CHECK_THAT(fault("| 4 | heads | 05_heads 1-99 | |\n"), ContainsSubstring("the lesson has steps 1 to"));
  CHECK_THAT(fault("| 4 | heads | 05_heads 3-2 | |\n"), ContainsSubstring("the lesson has steps 1 to"));
  CHECK_THAT(fault("| 4 | heads | heads | |\n"), ContainsSubstring("names no steps"));
  CHECK_THAT(fault("| 4 | heads | | |\n"), ContainsSubstring("shows no step"));
  CHECK_THAT(fault("| x | heads | 05_heads 1-2 | |\n"), ContainsSubstring("minutes, topic"));
  CHECK_THAT(fault("| 4 | heads |\n"), ContainsSubstring("minutes, topic"));
  CHECK_THAT(fault(""), ContainsSubstring("no topic"));
}
