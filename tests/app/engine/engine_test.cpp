#include "app/engine/engine.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <semaphore>
#include <thread>

#include "app/views/views.h"
#include "core/model/memory_need.h"
#include "core/model/pass_limit.h"
#include "tests/small_model.h"

using namespace glassformer;

namespace {

Result<LoadedModel> load(const std::string& name, const ProgressCallback&) { return makeSmallModel(name); }
Result<LoadedModel> loadLarge(const std::string& name, const ProgressCallback&) {
  return makeSmallModel(name, 12, 12, 512);
}

// A tree that takes its time: 1009 calls of the model.
Workspace longSearch() {
  Workspace workspace = initialWorkspace();
  workspace.decoding.beamWidth = 16, workspace.decoding.depth = 64;
  return workspace;
}

// Waits until the engine is at it; false where it was through before one could look.
bool waitFor(const Engine& engine, const std::string& doing, int done = 1) {
  for (auto now = engine.progress(); now; now = engine.progress())
    if (now->doing == doing && now->done >= done) return true;
  return false;
}

// Opens its model part by part, each when it is told to.
struct Gate {
  std::counting_semaphore<8> reached{0}, open{0};
  bool stopped = false;
  ModelLoader loader() {
    return [this](const std::string& name, const ProgressCallback& watch) -> Result<LoadedModel> {
      for (int part = 0; part < 4; ++part) {
        stopped = !watch(part, 4);
        reached.release();
        open.acquire();
        if (stopped) return Error{"broken off", name, ""};
      }
      return makeSmallModel(name);
    };
  }
};

}  // namespace

TEST_CASE("opening a model says how far it is") {
  Gate gate;
  Engine engine(
      gate.loader(), [] {}, neededFor);
  CHECK_FALSE(engine.progress());
  Workspace workspace = initialWorkspace();
  workspace.model = "/models/one";
  engine.request(workspace, 1);
  for (int part = 0; part < 4; ++part) {
    gate.reached.acquire();
    const auto progress = engine.progress();
    REQUIRE(progress);
    CHECK(progress->doing == "opening one");
    CHECK(progress->done == part);
    CHECK(progress->fraction() == static_cast<float>(part) / 4);
    CHECK(progress->seconds >= 0);
    gate.open.release();
  }
  engine.finish();
  CHECK_FALSE(engine.progress());
  CHECK(engine.latest()->model->name == "/models/one");
}

TEST_CASE("opening a model can be cancelled, and taken up again") {
  Gate gate;
  gate.open.release(4);
  Engine engine(
      gate.loader(), [] {}, neededFor);
  Workspace workspace = initialWorkspace();
  engine.request(workspace, 1);
  engine.finish();
  for (int i = 0; i < 4; ++i) gate.reached.acquire();
  const auto before = engine.latest();
  workspace.model = "another";
  engine.request(workspace, 2);
  gate.reached.acquire();  // the first part was told before
  engine.cancel();
  gate.open.release();
  gate.reached.acquire();  // the next one hears of it
  CHECK(gate.stopped);
  gate.open.release();
  engine.finish();
  CHECK(engine.latest()->standing.cancelled == "opening another");
  CHECK(engine.latest()->standing.error.empty());
  CHECK(engine.latest()->revision == 2);
  CHECK(engine.latest()->model->name == before->model->name);
  CHECK(engine.latest()->pass->trace == before->pass->trace);

  gate.open.release(4);
  engine.resume();
  engine.finish();
  CHECK(engine.latest()->standing.cancelled.empty());
  CHECK(engine.latest()->model->name == "another");
}

TEST_CASE("progress never goes back inside one piece of work") {
  Engine engine(
      loadLarge, [] {}, neededFor);
  Workspace workspace = longSearch();
  workspace.decoding.depth = 12;
  engine.request(workspace, 1);
  float last = 0;
  int piece = 0, advances = 0, backwards = 0;
  for (auto now = engine.progress(); now; now = engine.progress()) {
    if (now->piece != piece) piece = now->piece, last = 0;
    backwards += now->fraction() < last || now->fraction() > 1;
    if (now->fraction() > last && now->doing == "growing the beam tree") ++advances;
    last = now->fraction();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  CHECK(backwards == 0);
  CHECK(advances > 10);
  CHECK(engine.latest()->isDecoded());
}

TEST_CASE("a cancelled beam search leaves the tree that was there, until something is changed") {
  Engine engine(
      loadLarge, [] {}, neededFor);
  Workspace workspace = initialWorkspace();
  engine.request(workspace, 1);
  engine.finish();
  const auto before = engine.latest();
  REQUIRE(before->isDecoded());

  workspace = longSearch();
  engine.request(workspace, 2);
  REQUIRE(waitFor(engine, "growing the beam tree"));
  engine.cancel();
  engine.finish();
  CHECK(engine.latest()->standing.cancelled == "growing the beam tree");
  CHECK(engine.latest()->revision == 2);
  CHECK(engine.latest()->decoded->beam == before->decoded->beam);

  // Neither another look nor another selection brings it back.
  workspace.look.dark = !workspace.look.dark;
  engine.request(workspace, 3);
  engine.finish();
  workspace.selection.query = 2;
  engine.request(workspace, 4);
  engine.finish();
  CHECK(engine.latest()->standing.cancelled == "growing the beam tree");
  CHECK(engine.latest()->decoded->beam == before->decoded->beam);
  CHECK(engine.latest()->revision == 4);

  workspace.decoding.beamWidth = 2, workspace.decoding.depth = 3;
  engine.request(workspace, 5);
  engine.finish();
  CHECK(engine.latest()->standing.cancelled.empty());
  CHECK(engine.latest()->decoded->beam != before->decoded->beam);
  CHECK(engine.latest()->isDecoded());
}

TEST_CASE("what was cancelled is taken up again when asked for") {
  Engine engine(
      loadLarge, [] {}, neededFor);
  Workspace workspace = longSearch();
  workspace.decoding.depth = 12;
  engine.request(workspace, 1);
  REQUIRE(waitFor(engine, "growing the beam tree"));
  engine.cancel();
  engine.finish();
  REQUIRE(engine.latest()->standing.cancelled == "growing the beam tree");
  CHECK_FALSE(engine.latest()->decoded->beam);
  engine.resume();
  engine.finish();
  CHECK(engine.latest()->standing.cancelled.empty());
  CHECK(engine.latest()->isDecoded());
  CHECK_FALSE(engine.latest()->decoded->beam->cancelled);
}

TEST_CASE("a cancelled measurement leaves the last picture; going back shows that of its own text") {
  Engine engine(
      loadLarge, [] {}, neededFor);
  Workspace workspace = initialWorkspace();
  workspace.view = "next_token";
  workspace.decoding.beamWidth = 1, workspace.decoding.depth = 1;
  const std::string first = workspace.text;
  engine.request(workspace, 1);
  engine.finish();
  Workspace grid = workspace;
  grid.settings.pictures["next_token"] = "lens";
  for (int i = 0; i < 60; ++i) grid.text += " The cat sat on the mat.";
  std::shared_ptr<const Snapshot> before;
  for (std::uint64_t revision = 2; revision < 50; ++revision) {
    before = engine.latest();
    grid.text += " tired";
    engine.request(grid, revision);
    if (waitFor(engine, "measuring the logit lens")) engine.cancel();
    engine.finish();
    if (engine.latest()->standing.cancelled == "measuring the logit lens") break;
  }
  const auto latest = engine.latest();
  REQUIRE(latest->standing.cancelled == "measuring the logit lens");
  CHECK(latest->pass->text == before->pass->text);
  CHECK(latest->pass->trace == before->pass->trace);
  CHECK(latest->pass->measurements == before->pass->measurements);

  engine.request(workspace, 100);
  engine.finish();
  CHECK(engine.latest()->pass->text == first);
  CHECK(engine.latest()->decoded->text == first);
  CHECK(engine.latest()->standing.cancelled.empty());
}

TEST_CASE("a newer request replaces older work, cancelled or not") {
  Engine engine(
      loadLarge, [] {}, neededFor);
  Workspace workspace = longSearch();
  engine.request(workspace, 1);
  REQUIRE(waitFor(engine, "growing the beam tree"));
  engine.cancel();
  workspace.decoding.depth = 2;
  engine.request(workspace, 2);
  engine.finish();
  CHECK(engine.latest()->standing.cancelled.empty());
  CHECK(engine.latest()->isDecoded());
  CHECK(engine.latest()->revision == 2);
}

TEST_CASE("cancelling at rest does nothing") {
  Engine engine(
      load, [] {}, neededFor);
  engine.request(initialWorkspace(), 1);
  engine.finish();
  const auto before = engine.latest();
  engine.cancel();
  engine.finish();
  CHECK(engine.latest() == before);
}

TEST_CASE("a text that is too long for the model as loaded is compared as far as that one reads") {
  const auto loader = [](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 2, 4, 16);
  };
  Engine engine(
      loader, [] {}, neededFor);
  Workspace workspace = initialWorkspace();
  workspace.text = "The animal didn't cross the street because it was too tired. The animal was too tired.";
  workspace.changes = {{"n_positions", "64"}};
  workspace.comparison.with = Comparison::asLoaded;
  engine.request(workspace, 1);
  engine.finish();
  const auto snapshot = engine.latest();
  CHECK(snapshot->standing.error == "");
  REQUIRE(snapshot->pass->trace);
  CHECK(snapshot->pass->trace->tokenCount() > 16);
  REQUIRE(snapshot->other);
  REQUIRE(snapshot->other->pass->trace);
  CHECK(snapshot->other->pass->trace->tokenCount() == 16);
}

TEST_CASE("a text whose continuation does not fit into the memory limit is refused with the numbers") {
  const ModelConfig config = makeSmallModel("small", 2, 4, 200).transformer->config();
  const Tape::Bytes room = passBytes(config, 1, 64);
  const double usual = passLimit(), limit = room.tables + room.squares / config.layers;
  setPassLimit(limit);
  Engine engine([](const std::string& name,
                   const ProgressCallback&) { return Result<LoadedModel>(makeSmallModel(name, 2, 4, 200)); },
                [] {}, neededFor);
  Workspace workspace = initialWorkspace();
  workspace.text = "The animal didn't cross the street because it was too tired.";
  workspace.decoding.depth = 3;
  engine.request(workspace, 1);
  engine.finish();
  const auto decoded = engine.latest();
  CHECK(decoded->standing.error == "");
  CHECK(decoded->memory.dropsSquares);
  CHECK(decoded->memory.limit == limit);
  CHECK(decoded->isDecoded());
  REQUIRE(decoded->pass->tokens.size() < 60);
  workspace.decoding.depth = 64;
  engine.request(workspace, 2);
  engine.finish();
  setPassLimit(usual);
  CHECK_THAT(engine.latest()->standing.error,
             Catch::Matchers::ContainsSubstring("room for 128 tokens needs ") &&
                 Catch::Matchers::ContainsSubstring("; the memory limit is " + byteWords(limit)));
  CHECK_FALSE(engine.latest()->pass->trace);
}
