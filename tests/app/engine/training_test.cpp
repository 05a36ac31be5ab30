#include "app/engine/training.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/train/tasks/training_tasks.h"
#include "tests/app/engine/short_run.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using State = RunReport::State;

namespace {

std::string cardOf(const Training& training, const std::string& run) {
  return *readTextFile(training.folderOf(run) / "first.model" / cardFile);
}

}  // namespace

TEST_CASE("a run goes through all of its steps and reports what became of it") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  int told = 0;
  training.tell([&] { ++told; });
  const std::string run = training.begin(shortPlan());
  CHECK(run == "run:copy-1");
  training.finish();
  const auto report = training.report();
  REQUIRE(report);
  CHECK(report->name == run);
  CHECK(report->state == State::Finished);
  CHECK(report->step == 12);
  CHECK(report->savedStep == 12);
  CHECK(told > 2);
  const TensorSet& curves = *report->side.curves;
  for (int i = 0; i < 12; ++i) CHECK(std::isfinite(curves["training.loss"](i)));
  CHECK(curves["training.loss"](11) < curves["training.loss"](0));
  CHECK(curves["training.gradient_norm_by_group"].extent[0] == 3);
  CHECK(report->side.groups.size() == 3);
  CHECK(!report->side.answers.empty());
  CHECK(report->side.rightShare >= 0);
  CHECK(weightsOfRun(report->side, 0) != weightsOfRun(report->side));
  CHECK(training.kept() == std::vector<std::string>{run});
  CHECK(training.begin(shortPlan()) == "run:copy-2");
  training.tell({});
}

TEST_CASE("two runs from one seed go in step, on the same data, and differ in what was asked for") {
  const TemporaryFolder folder;
  TrainingPlan plan = shortPlan();
  plan.two = true;
  plan.otherChanges = {{"norm_placement", "post"}};
  Training training(shortRunsIn(folder.path()));
  training.begin(plan);
  training.finish();
  const auto report = training.report();
  REQUIRE(report->other);
  CHECK(report->other->config.normPlacement == NormPlacement::Post);
  CHECK(report->side.config.normPlacement == NormPlacement::Pre);
  CHECK(report->state == State::Finished);
  CHECK(weightsOfRun(report->side, 0) == weightsOfRun(*report->other, 0));
  CHECK(weightsOfRun(report->side) != weightsOfRun(*report->other));
  const TensorSet &one = *report->side.curves, &other = *report->other->curves;
  CHECK(one["training.other_loss"](5) == other["training.loss"](5));
  CHECK(one["training.loss"](5) != other["training.loss"](5));
  const auto expected = trainedWithoutABreak(folder / "alone", shortPlan());
  CHECK((weightsOfRun(report->side) == expected));  // company changes nothing
}

TEST_CASE("the optimizer's numbers are known in the past as they were") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string weight = "h.0.attn.c_attn.weight";
  training.watch(weight);
  training.begin(shortPlan(8));
  training.pause();
  training.finish();
  while (training.report()->step < 4) training.step(), training.finish();
  const auto then = training.report();
  while (training.report()->step < 8) training.step(), training.finish();
  const auto now = training.report();
  REQUIRE(now->side.stepWithMoments(then->step) == then->step);
  const auto kept = now->side.optimizerAt(then->step, weight);
  REQUIRE(kept);
  CHECK(!kept->contains("training.gradient"));
  for (const char* name : {"training.weight", "training.first_moment", "training.second_moment"}) {
    INFO(name);
    const TensorView was = (*then->side.optimizer)[name], is = (*kept)[name];
    CHECK(is.copy() == was.copy());
    CHECK(is.copy() != (*now->side.optimizer)[name].copy());
    CHECK(kept->point(kept->find(name)).letters == "io");  // rows and columns, of which nobody wrote any
  }
}

TEST_CASE("what a run takes on the disk is counted by steps, and follows the model's size") {
  const TemporaryFolder folder;
  Training training({.folder = folder.path()});
  const std::string run = training.begin(shortPlan(40));
  training.finish();
  const KeptSize size = training.sizeOf(run);
  const auto report = training.report();
  const RunVariant& side = report->side;
  CHECK(size.weights == static_cast<int>(side.weights->steps().size()));
  CHECK(size.moments == static_cast<int>(side.moments->steps().size()));
  CHECK(size.bytes > side.weights->bytes() + side.moments->bytes());
  CHECK(size.bytes < 2 * (side.weights->bytes() + side.moments->bytes()));
  CHECK(size.bytes < std::uintmax_t{64} << 20);
}

TEST_CASE("schedules are those of a run, whenever it is open; asked for again they are no work") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string first = training.begin(shortPlan(40));
  training.pause();
  const std::string second = training.begin(shortPlan(40));
  training.pause();
  training.finish();
  const Schedule recipe = training.report()->side.schedule, constant = recipe.as(ScheduleKind::Constant);
  training.setSchedules(first, {{constant}});  // it is not the open one
  training.finish();
  CHECK(training.report()->side.schedule == recipe);
  training.open(first);
  training.finish();
  REQUIRE(training.report()->name == first);
  CHECK(training.report()->side.schedule == constant);
  const auto version = training.report()->version;
  training.setSchedules(first, {{constant}});
  training.finish();
  CHECK(training.report()->version == version);
  training.setSchedules(first, {});  // as it is
  training.finish();
  CHECK(training.report()->side.schedule == constant);
}

TEST_CASE("a plan that cannot be is refused with the field that is wrong, and leaves no folder") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  TrainingPlan plan = shortPlan();
  plan.changes.push_back({"n_head", "5"});
  const std::string run = training.begin(plan);
  training.finish();
  CHECK(!training.report());
  CHECK(training.problem().find("n_head") != std::string::npos);
  CHECK(!fs::exists(training.folderOf(run)));
  plan.task = textTaskName, plan.file = (folder / "nothing.txt").string();
  training.begin(plan);
  training.finish();
  CHECK(training.problem().find("nothing.txt") != std::string::npos);
  CHECK(!openedRun(training, "run:nobody-7"));
}

TEST_CASE("a run that is being prepared can be cancelled, and the one before stays") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string before = training.begin(shortPlan());
  training.finish();
  const std::string run = training.begin({.task = "stories"});
  REQUIRE(training.progress());
  CHECK(training.progress()->doing == "preparing stories");
  training.cancel();
  training.finish();
  CHECK(!training.progress());
  CHECK(training.refused() == run);
  CHECK(training.problem() == "");
  CHECK(training.report()->name == before);
  CHECK(!fs::exists(training.folderOf(run)));
  training.begin(shortPlan());
  training.finish();
  CHECK(training.refused() == "");
}

TEST_CASE("a run that is cancelled is not begun, at whatever moment, also the last one") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  training.begin(shortPlan());
  waitUntil([&] { return training.report() != nullptr; });
  const auto preparing = Clock::now() - began;
  training.finish();
  constexpr int moments = 60;
  for (int i = 0; i < moments; ++i) {
    const auto cancelled = Clock::now() + preparing * i / moments;
    const std::string run = training.begin(shortPlan(100'000));
    std::this_thread::sleep_until(cancelled);
    const bool isStopped = training.cancel();
    training.pause();
    training.finish();
    CHECK((training.refused() == run) == isStopped);
    CHECK((training.report()->name == run) == !isStopped);
    CHECK(fs::exists(training.folderOf(run)) == !isStopped);
  }
}

TEST_CASE("what was reached and cannot be written is told, and measured again when asked for") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string run = training.begin({.task = "sort", .steps = 2});
  waitUntil([&] { return training.progress() && training.progress()->done > 0; });
  const fs::path card = training.folderOf(run) / "first.model" / cardFile, blocked = card.string() + ".part";
  fs::create_directory(blocked);  // nothing can be written there any more
  training.finish();
  CHECK(!training.report()->measured);
  CHECK(training.report()->problem.find("cannot write") != std::string::npos);
  fs::remove(blocked);
  training.measure();
  training.finish();
  CHECK(training.report()->measured);
  CHECK(training.report()->problem == "");
}

TEST_CASE("what a finished run has reached is measured, can be cancelled and asked for again") {
  const TemporaryFolder folder;
  std::string run;
  {
    Training training(shortRunsIn(folder.path()));
    run = training.begin({.task = "sort", .steps = 2});
    waitUntil([&] { return training.progress() && training.progress()->done > 0; });
    CHECK(training.progress()->doing == "measuring on held-out data");
    CHECK(training.report()->state == State::Finished);
    training.cancel();
    training.finish();
    CHECK(!training.report()->measured);
    CHECK(cardOf(training, run).ends_with("Not measured.\n"));
  }
  Training training(shortRunsIn(folder.path()));
  REQUIRE(openedRun(training, run));
  CHECK(!training.report()->measured);
  training.measure();
  training.finish();
  CHECK(training.report()->measured);
  const std::string card = cardOf(training, run);
  CHECK(card.find("## Measured on 2000 held-out questions") != std::string::npos);
  CHECK(card.find("Not measured") == std::string::npos);
  CHECK(card.find("minutes on 1 threads, in the window.") != std::string::npos);  // as it was written first
}

TEST_CASE("every task can be trained, whatever its model reads and writes") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  for (const TrainingTaskEntry& task : trainingTasks()) {
    INFO(task.id);
    const std::string run = training.begin({.task = std::string(task.id), .steps = 1});
    waitUntil(
        [&] { return training.report() && training.report()->name == run && training.report()->step == 1; });
    CHECK(training.problem() == "");
    CHECK(training.report()->state == State::Finished);  // what it has reached is not waited for
    CHECK(std::isfinite(training.report()->side.heldOutLoss));
    CHECK(fs::exists(training.folderOf(run) / "first.model" / "config.json"));
  }
}

TEST_CASE("a text is kept with its run") {
  const TemporaryFolder folder;
  const fs::path file = folder / "song.txt";
  {
    std::ofstream out(file);
    for (int i = 0; i < 400; ++i) out << "The bear went over the mountain, " << i << " times.\n";
  }
  TrainingPlan plan = shortPlan(4);
  plan.task = textTaskName, plan.file = file.string();
  std::string run;
  {
    Training training(shortRunsIn(folder / "runs"));
    run = training.begin(plan);
    training.finish();
    REQUIRE(training.problem() == "");
    CHECK(training.report()->step == 4);
  }
  fs::remove(file);
  Training training(shortRunsIn(folder / "runs"));
  const auto opened = openedRun(training, run);
  INFO(training.problem());
  REQUIRE(opened);
  CHECK((*opened)->step == 4);
}
