#include "app/engine/landscapes.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <thread>

#include "app/engine/model_library.h"
#include "app/views/views.h"
#include "tests/app/engine/first_told.h"
#include "tests/small_model.h"

using namespace glassformer;

namespace {

Workspace looking(int side = 5) {
  Workspace workspace = initialWorkspace();
  workspace.view = "landscape";
  workspace.settings.landscape.side = side;
  return workspace;
}

class AskedForLandscapes {
 public:
  explicit AskedForLandscapes(const ModelLoader& loader = [](const std::string& name,
                                                             const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name);
  })
      : engine_(
            loader, [this] { ++published_; }, neededFor) {}
  std::shared_ptr<const Snapshot> operator()(const Workspace& workspace) {
    engine_.request(workspace, ++revision_);
    engine_.finish();
    return engine_.latest();
  }
  Engine& engine() { return engine_; }
  int published() const { return published_; }

 private:
  std::atomic<int> published_ = 0;
  std::uint64_t revision_ = 0;
  Engine engine_;
};

std::vector<float> lossesOf(const Snapshot& snapshot) {
  return (*snapshot.kept.measured)["landscape.loss"].copy();
}

}  // namespace

TEST_CASE("the landscape is measured while it is looked at, whatever the text") {
  AskedForLandscapes ask;
  Workspace workspace = looking();
  workspace.view = "attention";
  CHECK_FALSE(ask(workspace)->kept.measured);
  workspace.view = "landscape";
  const auto first = ask(workspace);
  REQUIRE(first->kept.measured);
  for (const float loss : lossesOf(*first)) CHECK(std::isfinite(loss));
  workspace.text += " It was warm.";
  CHECK(lossesOf(*ask(workspace)) == lossesOf(*first));
  workspace.text.clear();
  CHECK(lossesOf(*ask(workspace)) == lossesOf(*first));
  workspace.settings.landscape.seed = 2;
  CHECK(lossesOf(*ask(workspace)) != lossesOf(*first));
}

TEST_CASE("turning it measures nothing again") {
  AskedForLandscapes ask;
  Workspace workspace = looking();
  const auto first = ask(workspace);
  const int before = ask.published();
  workspace.settings.landscape.angle.yaw = 77, workspace.settings.landscape.logarithmic = true;
  const auto turned = ask(workspace);
  CHECK(ask.published() == before + 1);
  CHECK(lossesOf(*turned) == lossesOf(*first));
  CHECK(turned->pass->trace == first->pass->trace);
}

TEST_CASE("a changed model and as it was loaded: two landscapes on one scale, and their difference") {
  AskedForLandscapes ask;
  Workspace workspace = looking();
  workspace.changes = {{"residual", "no"}};
  workspace.comparison.with = Comparison::asLoaded;
  const auto beside = ask(workspace);
  REQUIRE(beside->kept.measured);
  REQUIRE(beside->other);
  REQUIRE(beside->other->kept.measured);
  CHECK(lossesOf(*beside) != lossesOf(*beside->other));
  workspace.changes.clear(), workspace.comparison.with = Comparison::off;
  const auto alone = ask(workspace);
  CHECK(lossesOf(*alone) == lossesOf(*beside->other));
  const auto end = [](const Snapshot& s, int i) { return (*s.kept.measured)["landscape.range"](i); };
  for (const int i : {0, 1}) CHECK(end(*beside, i) == end(*beside->other, i));
  CHECK(end(*beside, 0) <= end(*alone, 0));
  CHECK(end(*beside, 1) >= end(*alone, 1));

  workspace.changes = {{"weights", "random 3"}};
  workspace.comparison = {Comparison::asLoaded, ComparisonMode::Difference};
  const auto shown = ask(workspace);
  REQUIRE(shown->difference);
  const auto here = lossesOf(*shown), there = lossesOf(*shown->other), minus = lossesOf(*shown->difference);
  for (std::size_t i = 0; i < minus.size(); ++i) CHECK(minus[i] == here[i] - there[i]);
  CHECK(shown->difference->sides->a->kept.measured == shown->kept.measured);
}

TEST_CASE("two texts have one landscape, and no difference") {
  AskedForLandscapes ask;
  Workspace workspace = looking();
  workspace.aside = {"The cat."};
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = ask(workspace);
  REQUIRE(snapshot->difference);
  CHECK(snapshot->other->kept.measured == snapshot->kept.measured);
  for (const float loss : lossesOf(*snapshot->difference)) CHECK(loss == 0);
}

TEST_CASE("a model whose data nobody knows says so") {
  AskedForLandscapes ask([](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    LoadedModel model = makeSmallModel(name);
    model.task = nullptr;
    return model;
  });
  const auto snapshot = ask(looking());
  CHECK_FALSE(snapshot->kept.measured);
  CHECK(snapshot->kept.missing.find("This model has no card") == 0);
  CHECK(snapshot->pass->trace);
}

TEST_CASE("a changed model that cannot read its task's data says so") {
  AskedForLandscapes ask;
  Workspace workspace = looking();
  workspace.changes = {{"n_positions", "4"}};
  const auto snapshot = ask(workspace);
  CHECK_FALSE(snapshot->kept.measured);
  CHECK(snapshot->kept.missing.find("n_positions") != std::string::npos);
}

TEST_CASE("broken off by typing it goes on; cancelled it stays as far as it is until it is asked for") {
  AskedForLandscapes ask([](const std::string& name, const ProgressCallback&) -> Result<LoadedModel> {
    return makeSmallModel(name, 6, 8, 128);
  });
  Engine& engine = ask.engine();
  Workspace workspace = looking(101);
  std::uint64_t revision = 100;
  const auto measured = [&] {
    const auto set = engine.latest()->kept.measured;
    return set ? static_cast<int>((*set)["landscape.points"](0)) : 0;
  };
  const auto waitForPoints = [&](int count) {
    while (measured() < count) std::this_thread::yield();
  };
  engine.request(workspace, ++revision);
  waitForPoints(9);
  workspace.text += ".";
  const auto before = measured();
  engine.request(workspace, ++revision);
  while (engine.latest()->revision != revision) std::this_thread::yield();
  CHECK(measured() >= before);
  waitForPoints(measured() + 10);  // of those from before the text changed there may be more by now
  engine.cancel();
  engine.finish();
  CHECK(engine.latest()->standing.cancelled == Landscapes::doing);
  const auto kept = measured();
  CHECK(kept < 101 * 101);
  workspace.text += ".";
  engine.request(workspace, ++revision);
  engine.finish();
  CHECK(measured() == kept);
  engine.resume();
  waitForPoints(kept + 4);
  engine.cancel();
  engine.finish();
}

TEST_CASE("the data of a task that ships are those its model learned from") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  const auto model = library.load("stories");
  REQUIRE(model);
  const auto task = makeTask(model->origin);
  REQUIRE(task);
  CHECK(task->tokenizer() == *model->tokenizer);
  const LossData data = landscapeData(*task);
  CHECK(data.sequences == 8);
  CHECK(data.batches.front().tokens.size() == 1024);
  LandscapeSurvey survey(model->transformer->config(), model->transformer->parameters(), data, {.side = 3},
                         2);
  survey.run(noProgress);
  const Tensor& loss = survey.landscape().loss;
  CHECK(loss(1, 1) < 1.2f);  // its card says 0.78 on whole stories
  for (int i = 0; i < 9; ++i)
    if (i != 4) CHECK(loss(i / 3, i % 3) > loss(1, 1) + 0.5f);
}

TEST_CASE("a landscape is seen after nine points of it, and finer and finer") {
  FirstTold first(looking(25));
  Landscapes landscapes(1);
  const auto sideOf = [](const TensorSet& told) { return told["landscape.loss"].extent[0]; };
  int side = 0;
  const int asked = first.askedBefore(landscapes, [&](const TensorSet& told) {
    CHECK(told["landscape.points"](1) == 625);
    return side = sideOf(told), true;
  });
  CHECK(side == 3);
  constexpr int data = 1, points = 9;
  REQUIRE(asked > 0);
  CHECK(asked <= data + points);
  CHECK(first.askedBefore(landscapes, [&](const TensorSet& told) { return sideOf(told) == 5; }) <= 25);
}
