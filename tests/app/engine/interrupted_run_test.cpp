// Runs that are broken off, by whoever trains, by the machine or by what they compute, and go on.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <csignal>

#include "app/engine/training.h"
#include "core/io/files.h"
#include "tests/app/engine/short_run.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using State = RunReport::State;

namespace {

// With masks that are drawn, and numbers of its own.
TrainingPlan withDropout(TrainingPlan plan) {
  plan.changes.push_back({"resid_pdrop", "0.2"});
  plan.numbers = {{"batch", "24"}, {"beta2", "0.99"}, {"clip", "0.7"}};
  return plan;
}

void waitForStep(const Training& training, int step) {
  waitUntil([&] { return training.report() && training.report()->step >= step; });
}

}  // namespace

TEST_CASE("a run that was paused, closed and opened again ends with the bytes of one that never stopped") {
  const TemporaryFolder folder;
  const TrainingPlan plan = withDropout(shortPlan(40));
  const auto expected = trainedWithoutABreak(folder / "whole", plan);
  std::string run;
  {
    Training training(shortRunsIn(folder / "broken"));
    run = training.begin(plan);
    waitForStep(training, 1);
    training.pause();
    training.finish();
    REQUIRE(training.report()->step < 40);
    training.step();
    training.finish();
  }
  Training training(shortRunsIn(folder / "broken"));
  const auto opened = openedRun(training, run);
  REQUIRE(opened);
  CHECK((*opened)->state == State::Paused);
  const int kept = (*opened)->step;
  CHECK(kept > 0);
  CHECK((*opened)->side.weights->steps().size() == static_cast<std::size_t>(kept) + 1);  // the past is there
  CHECK(std::isfinite((*(*opened)->side.curves)["training.loss"](0)));
  CHECK(!(*opened)->side.answers.empty());
  training.go();
  training.finish();
  CHECK(training.report()->state == State::Finished);
  CHECK((weightsOfRun(training.report()->side) == expected));
}

TEST_CASE("a run whose program was killed goes on from its last checkpoint and ends with the same bytes") {
  const TemporaryFolder folder;
  const auto expected = trainedWithoutABreak(folder / "whole", shortPlan(60));
  const fs::path runs = folder / "killed";
  std::vector<int> seen{-1};
  for (int attempt = 0; attempt < 3; ++attempt) {
    const pid_t child = fork();
    if (child == 0) {  // saves all the time, so that it is killed in the middle of it
      auto options = shortRunsIn(runs);
      options.saveSeconds = 0;
      Training training(options);
      if (attempt == 0)
        training.begin(shortPlan(60));
      else if (!openedRun(training, "run:copy-1"))
        _exit(3);
      training.go();
      training.finish();
      for (;;) pause();
    }
    const fs::path checkpoint = runs / "copy-1" / "first.safetensors";
    for (int i = 0; i < 5000 && !fs::exists(checkpoint); ++i) usleep(1000);
    usleep(20'000 + 7'000 * static_cast<unsigned>(attempt));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));
    Training training(shortRunsIn(runs));
    const auto opened = openedRun(training, "run:copy-1");
    REQUIRE(opened);
    CHECK((*opened)->step >= seen.back());
    seen.push_back((*opened)->step);
  }
  Training training(shortRunsIn(runs));
  REQUIRE(openedRun(training, "run:copy-1"));
  training.go();
  training.finish();
  CHECK(training.report()->state == State::Finished);
  CHECK((weightsOfRun(training.report()->side) == expected));
}

TEST_CASE("a run goes on from any step as it was then, beside the one it branched off") {
  const TemporaryFolder folder;
  TrainingPlan plan = withDropout(shortPlan(40));
  const auto expected = trainedWithoutABreak(folder / "whole", plan);
  plan.two = true;
  plan.otherChanges = {{"tie_word_embeddings", "yes"}};  // another number of weights, so another ring
  std::string branch;
  {
    Training training(shortRunsIn(folder / "runs"));
    const std::string run = training.begin(plan);
    training.finish();
    const auto whole = training.report();
    CHECK((weightsOfRun(whole->side) == expected));
    const auto otherExpected = weightsOfRun(*whole->other);
    branch = training.branch(17);  // or shortly before: not every step's moments are kept
    training.finish();
    REQUIRE(training.problem() == "");
    const auto begun = training.report();
    CHECK(begun->name == branch);
    CHECK(begun->state == State::Paused);
    CHECK(begun->step == 16);
    CHECK(begun->plan.from == "copy-1, step 16");
    CHECK((weightsOfRun(begun->side) == weightsOfRun(whole->side, 16)));
    CHECK((weightsOfRun(begun->side, 5) == weightsOfRun(whole->side, 5)));  // their past is the same
    CHECK((*begun->side.curves)["training.loss"](15) == (*whole->side.curves)["training.loss"](15));
    CHECK(std::isnan((*begun->side.curves)["training.loss"](16)));
    training.go();
    training.finish();
    CHECK((weightsOfRun(training.report()->side) == expected));
    CHECK((weightsOfRun(*training.report()->other) == otherExpected));
  }
  Training training(shortRunsIn(folder / "runs"));
  REQUIRE(openedRun(training, branch));
  CHECK(training.report()->plan.from == "copy-1, step 16");
  training.branch(30);  // also from a run that was read from disk
  training.finish();
  CHECK(training.report()->step == 24);
  training.setSchedules(training.report()->name, {{{}, Schedule{ScheduleKind::Constant, 1e-4f, 0, 40}}});
  training.go();
  training.finish();
  CHECK((weightsOfRun(training.report()->side) == expected));
  CHECK(training.report()->side.schedule.kind == ScheduleKind::Cosine);
  CHECK(training.report()->other->schedule.kind == ScheduleKind::Constant);
}

TEST_CASE("a run that diverges stops, says where, and goes on from its last checkpoint") {
  const TemporaryFolder folder;
  TrainingPlan plan = shortPlan(400);
  plan.changes.push_back({"norm_placement", "none"});
  Training training(shortRunsIn(folder.path()));
  const std::string run = training.begin(plan);
  training.pause();
  training.finish();
  const int before = training.report()->step;
  const auto good = weightsOfRun(training.report()->side);
  training.setSchedules(run, {{Schedule{ScheduleKind::Constant, 1e18f, 0, 400}}});
  training.go();
  training.finish();
  const auto broken = training.report();
  REQUIRE(broken->state == State::Diverged);
  CHECK(broken->step > before);
  CHECK(broken->problem.find("step " + std::to_string(broken->step)) != std::string::npos);
  CHECK((weightsOfRun(broken->side, before) == good));  // what was before it broke can be looked at
  CHECK(broken->savedStep == before);
  training.go();
  training.finish();
  CHECK(training.report()->state == State::Paused);
  CHECK(training.report()->step == before);
  CHECK((weightsOfRun(training.report()->side) == good));
  training.setSchedules(run, {{Schedule{ScheduleKind::Constant, 1e-3f, 0, 400}}});
  training.step();
  training.finish();
  CHECK(training.report()->step == before + 1);
  CHECK(training.report()->state == State::Paused);
}

TEST_CASE("without room on the disk training goes on, says so, and the last checkpoint stays") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string run = training.begin(shortPlan(40));
  training.pause();
  training.finish();
  const int saved = training.report()->savedStep;
  const fs::path checkpoint = training.folderOf(run) / "first.safetensors";
  const auto size = fs::file_size(checkpoint);
  fs::create_directory(checkpoint.string() + ".part");  // nothing can be written there any more
  training.step();
  training.pause();
  training.finish();
  training.go();
  training.finish();
  const auto report = training.report();
  CHECK(report->step == 40);
  CHECK(report->state == State::Finished);
  CHECK(report->savedStep == saved);
  CHECK(report->problem.find("could not be saved") != std::string::npos);
  CHECK(fs::file_size(checkpoint) == size);
}

TEST_CASE("a run that is open in one window stays closed, and kept, in another") {
  const TemporaryFolder folder;
  std::optional<Training> here(shortRunsIn(folder.path()));
  const std::string run = preparedRun(*here);
  Training there(shortRunsIn(folder.path()));
  CHECK_FALSE(openedRun(there, run));
  CHECK_THAT(there.problem(),
             ContainsSubstring("this run is open in another window") && ContainsSubstring("copy-1"));
  there.remove(run);
  there.finish();
  CHECK(there.kept() == std::vector{run});
  CHECK_THAT(there.problem(), ContainsSubstring("this run is open in another window"));
  CHECK(there.begin(shortPlan()) == "run:copy-2");
  there.finish();
  here.reset();
  CHECK(openedRun(there, run));
  there.open("run:copy-2"), there.finish();
  there.remove(run), there.finish();
  CHECK(there.kept() == std::vector<std::string>{"run:copy-2"});
}

TEST_CASE("runs keep the order in which they were begun when the clock is put back") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string first = preparedRun(training);
  const fs::path plan = training.folderOf(first) / "plan.json";
  fs::last_write_time(plan, fs::last_write_time(plan) + std::chrono::hours(100));
  TrainingPlan other = shortPlan();
  other.task = "letters";
  const std::string second = training.begin(other);
  training.finish();
  const std::string third = training.begin(shortPlan());
  training.finish();
  CHECK(training.kept() == std::vector{first, second, third});
}
