#include "app/lesson/class_answers.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "app/lesson/lesson_shelf.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

void writeAnswers(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::shared_ptr<const Lesson> shipped(const std::string& id) {
  LessonShelf shelf(fs::path(SOURCE_FOLDER) / "assets" / "lessons");
  return *shelf.open(id);
}

}  // namespace

TEST_CASE("answers that are written are read back, and those of a class put behind one another") {
  const TemporaryFolder folder;
  const auto lesson = shipped("02_averages_to_attention");
  LessonProgress progress;
  progress.guesses[1] = {{1.0f}, true};
  progress.guesses[3] = {{2.75f}, false};  // not made yet
  progress.guesses[4] = {{0.1f, 0.5f, 0.3f, 0.1f}, true};
  const std::string one = answersFile(*lesson, progress);
  const fs::path file = folder / "class.csv";
  writeAnswers(file, one + "\r\n" + one);
  CHECK(isAnswersFile(file));
  const auto read = readAnswers(file);
  REQUIRE(read);
  CHECK(read->lesson == "02_averages_to_attention");
  CHECK(read->people == 2);
  REQUIRE(read->bySteps.size() == 2);
  CHECK(read->bySteps.at(1) == std::vector<std::vector<float>>{{1}, {1}});
  CHECK(read->bySteps.at(4).front() == progress.guesses[4].values);
  CHECK(fitsLesson(*read, *lesson));

  Workspace workspace = initialWorkspace();
  commands::addAnswers(*read).apply(workspace);
  commands::addAnswers(*read).apply(workspace);
  CHECK(workspace.lesson.room.at(1).size() == 4);
  commands::forgetAnswers(1).apply(workspace);
  CHECK(workspace.lesson.room.count(1) == 0);
  CHECK(workspace.lesson.room.at(4).size() == 4);
  for (int i = 0; i < 3; ++i) {
    ClassAnswers many;
    many.bySteps[4].assign(mostAnswers - 1, {0, 0, 0, 0});
    commands::addAnswers(many).apply(workspace);
  }
  CHECK(workspace.lesson.room.at(4).size() == mostAnswers);
}

TEST_CASE("what is wrong with answers is said with the line, and nothing is taken") {
  const TemporaryFolder folder;
  const fs::path file = folder / "answers.csv";
  const auto said = [&](const std::string& text) {
    writeAnswers(file, "glassformer answers,02_averages_to_attention\n" + text);
    const auto read = readAnswers(file);
    return read ? fitsLesson(*read, *shipped("02_averages_to_attention")).error().message()
                : read.error().message();
  };
  CHECK_THAT(said("2,abc\n"), ContainsSubstring("\"abc\" is not a number") && ContainsSubstring("line 2"));
  CHECK_THAT(said("2,1\n\n2,nan\n"),
             ContainsSubstring("\"nan\" is not a number") && ContainsSubstring("line 4"));
  CHECK_THAT(said("2,1e30\n"), ContainsSubstring("\"1e30\" is not a number"));
  CHECK_THAT(said("0,1\n"), ContainsSubstring("\"0\" is not a page"));
  CHECK_THAT(said("2.5,1\n"), ContainsSubstring("is not a page"));
  CHECK_THAT(said("2\n"), ContainsSubstring("no step and values"));
  CHECK_THAT(said("1,1\n"), ContainsSubstring("has no question"));
  CHECK_THAT(said("99,1\n"), ContainsSubstring("step 99") && ContainsSubstring("is not there"));
  CHECK_THAT(said("2,1\n5,0.5,0.5\n"),
             ContainsSubstring("asks for 4 numbers, not 2") && ContainsSubstring("line 3"));
  CHECK_THAT(said("glassformer answers,04_masks\n"), ContainsSubstring("among those to"));
  writeAnswers(file, "a,b\n1,2\n");
  CHECK_FALSE(isAnswersFile(file));
}
