#include "app/figure/sequences.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/document/figure_recipe.h"
#include "app/document/model_commands.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "core/io/files.h"
#include "tests/app/engine/short_run.h"
#include "tests/app/figure/figure_cases.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

Result<LoadedModel> shippedModel(const std::string& name, const ProgressCallback& watch) {
  return ModelLibrary(SOURCE_FOLDER "/build").load(name, watch);
}

SequenceFile into(const fs::path& file, bool moves = false) {
  return {file, pixelSize({480, 360}), *findFigureFormat(file.extension().string().substr(1)), moves};
}

std::vector<SequenceFrame> framesOf(const char* id, const Workspace& workspace,
                                    std::shared_ptr<const Lesson> lesson = nullptr) {
  return findSequence(id)->frames({workspace, *storiesSnapshot(workspace), std::move(lesson)});
}

}  // namespace

TEST_CASE("a sequence goes through all there is, and nothing where there is nothing") {
  const Workspace workspace = initialWorkspace();
  CHECK(framesOf("token", workspace).size() == storiesSnapshot(workspace)->pass->tokens.size());
  CHECK(framesOf("head", workspace).size() == 16);
  CHECK(framesOf("step", workspace).size() > 40);
  CHECK(framesOf("lesson", workspace).empty());
  CHECK(framesOf("run", workspace).empty());
}

TEST_CASE("a sequence is written as numbered figures, or as one film of the same pictures") {
  const TemporaryFolder folder;
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog sang";
  const auto frames = framesOf("token", workspace);
  REQUIRE(frames.size() == 3);
  const auto files = writeSequence(frames, shippedModel, into(folder / "walk.svg"));
  REQUIRE(files);
  REQUIRE(files->size() == 3);
  CHECK((*files)[2].file == folder / "walk-003.svg");
  CHECK(recipeIn((*files)[2].file)->workspace.selection.query == 2);

  const auto film = writeSequence(frames, shippedModel, into(folder / "film.svg", true));
  REQUIRE(film);
  REQUIRE(film->size() == 1);
  const std::string svg = *readTextFile(folder / "film.svg");
  std::size_t turns = 0;
  for (std::size_t at = 0; (at = svg.find("<animate ", at)) != std::string::npos; ++at) ++turns;
  CHECK(turns == 3);
  CHECK(svg.find("values=\"hidden;visible;hidden\" keyTimes=\"0;0.333333;0.666667\"") != std::string::npos);
  // Who does not move it shows the first.
  for (const char* name : {"film", "walk-001"})
    outputOf("rsvg-convert -o '" + (folder / name).string() + ".png' '" + (folder / name).string() + ".svg'");
  CHECK(differingShare(readPng(folder / "film.png"), readPng(folder / "walk-001.png")) == 0);

  int seen = 0;
  CHECK_FALSE(writeSequence(frames, shippedModel, into(folder / "none.gif", true),
                            [&](int done, int total) { return total == 3 && (seen = done) < 1; }));
  CHECK(seen == 1);
  CHECK_FALSE(fs::exists(folder / "none.gif"));
  CHECK_FALSE(writeSequence(frames, shippedModel, into(folder / "nowhere" / "a.svg")));
}

TEST_CASE("a lesson's steps are drawn as the lesson shows them, with their answers") {
  LessonShelf shelf(SOURCE_FOLDER "/assets/lessons");
  const auto lesson = shelf.open("04_masks");
  REQUIRE(lesson);
  Workspace workspace = initialWorkspace();
  commands::goToLessonStep(*lesson, 0).apply(workspace);
  const auto frames = framesOf("lesson", workspace, *lesson);
  REQUIRE(static_cast<int>(frames.size()) == (*lesson)->stepCount());
  for (const SequenceFrame& frame : frames) CHECK(isOnPath(**lesson, frame.workspace));
}

TEST_CASE("a run is drawn after its kept steps, each with the weights it had then") {
  const TemporaryFolder folder;
  const auto training = std::make_shared<Training>(shortRunsIn(folder / "runs"));
  Workspace workspace = initialWorkspace();
  commands::setModel(training->begin(shortPlan())).apply(workspace);
  training->finish();
  Engine engine(
      shippedModel, [] {}, neededFor, 1, training);
  engine.request(workspace, 1);
  engine.finish();
  const auto snapshot = engine.latest();
  const auto frames = findSequence("run")->frames({workspace, *snapshot, nullptr});
  const RunReport& run = *snapshot->training->run;
  const std::vector<int> steps = run.side.weights->steps();
  REQUIRE(frames.size() == steps.size());
  REQUIRE(frames.size() > 3);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    REQUIRE(frames[i].model);
    const auto weights = run.side.weights->at(steps[i]);
    const TensorView first = frames[i].model->transformer->parameters().view(0);
    CHECK(std::equal(first.data, first.data + first.size(), weights->begin()));
  }
  REQUIRE(writeSequence(frames, shippedModel, into(folder / "run.gif", true)));
  CHECK(recipeIn(folder / "run.gif"));
}
