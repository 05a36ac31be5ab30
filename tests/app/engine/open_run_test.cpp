#include "app/engine/open_run.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "tests/app/engine/short_run.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using State = RunReport::State;

TEST_CASE("one run is looked at after another, and back again") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string first = preparedRun(training), second = preparedRun(training);
  for (const std::string& run : {first, second, first, second}) {
    const auto asked = openedRun(training, run);
    REQUIRE(asked);
    CHECK((*asked)->name == run);
    CHECK(training.report()->name == run);  // it is the open one: what is pressed is meant for it
  }
}

TEST_CASE("nobody waits for a run that is being opened") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string first = preparedRun(training), second = preparedRun(training);
  CHECK(!training.reportOf(first));     // it is closed, and stays that until somebody asks for it
  training.begin({.task = "stories"});  // takes a while
  training.open(first);
  const auto opening = training.reportOf(first);
  REQUIRE(opening);
  CHECK(!*opening);
  training.cancel();
  training.finish();
  REQUIRE(training.reportOf(first));
  CHECK((*training.reportOf(first))->name == first);
  training.open("run:nobody-7");
  training.finish();
  CHECK(!training.reportOf("run:nobody-7"));
}

TEST_CASE("a run that cannot be opened loses nothing, and no name leads out of the folder") {
  const TemporaryFolder folder;
  const fs::path runs = folder / "state" / "runs", other = folder / "state" / "precious.txt";
  std::string run;
  {
    Training training(shortRunsIn(runs));
    run = training.begin(shortPlan());
    training.finish();
  }
  std::ofstream(other) << "kept";
  const fs::path kept = runs / "copy-1";
  fs::rename(kept / "plan.json", kept / "plan.lost");
  Training training(shortRunsIn(runs));
  for (const char* name : {"run:copy-1", "run:", "run:..", "run:../..", "run:nobody-7"}) {
    INFO(name);
    CHECK(!openedRun(training, name));
    CHECK(training.refused() == name);
    training.remove(name);
    training.finish();
    CHECK(fs::exists(kept / "first.safetensors"));
    CHECK(fs::exists(other));
  }
  std::ofstream(kept / "plan.json") << "{\"task\": " << std::string(80000, '[') << std::string(80000, ']')
                                    << "}";
  const auto deep = openedRun(training, run);
  REQUIRE_FALSE(deep);
  CHECK_THAT(deep.error().message(), ContainsSubstring("plan.json, line 1: nested deeper than 64 levels"));
  fs::rename(kept / "plan.lost", kept / "plan.json");
  CHECK(openedRun(training, run));
}

TEST_CASE("whoever still looks at the run before does not end the one that was begun") {
  const TemporaryFolder folder;
  Training training(shortRunsIn(folder.path()));
  const std::string before = training.begin(shortPlan());
  training.finish();
  REQUIRE(openedRun(training, before));
  const std::string run = training.begin(shortPlan(4000));
  waitUntil([&] { return training.report()->name == run && training.report()->step > 0; });
  const auto old = openedRun(training, before);
  REQUIRE(old);
  CHECK((*old)->name == before);
  CHECK(training.report()->name == run);
  REQUIRE(openedRun(training, run));
  CHECK((*openedRun(training, run))->state == State::Running);
  CHECK((*openedRun(training, before))->name == before);  // now it is meant
  CHECK(training.report()->name == before);
}
