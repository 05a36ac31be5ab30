#include "app/engine/shown_run.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

#include "core/random.h"
#include "tests/app/engine/followed_run.h"

using namespace glassformer;

TEST_CASE("the engine shows the model that is trained, now and at any step before") {
  FollowedRun followed(shortPlan());
  followed.training->finish();
  const auto now = followed.answer();
  REQUIRE(now->standing.error == "");
  REQUIRE(now->pass->hasTrace());
  REQUIRE(now->training->run);
  CHECK(now->training->step == 12);
  CHECK(now->model->name == "copy-1");
  followed.workspace.settings.training.at = 3;
  const auto then = followed.answer();
  CHECK(then->training->step == 3);
  CHECK((*then->pass->trace)["logits"](1, 7) != (*now->pass->trace)["logits"](1, 7));
  LivePass pass(now->training->run->side.modelAt(3), 1);
  std::vector<int> tokens;
  for (const TokenPiece& token : then->pass->tokens) tokens.push_back(token.id);
  CHECK((*then->pass->trace)["logits"](1, 7) == (*pass.run(tokens, {}))["logits"](1, 7));
}

TEST_CASE("the engine follows a run without being asked, and compares it with the one beside it") {
  TrainingPlan plan = shortPlan(30);
  plan.two = true;
  plan.otherSchedule = noWarmup;
  FollowedRun followed(plan);
  followed.workspace.comparison.with = Comparison::otherRun;
  followed.ask();
  followed.training->finish();
  followed.engine.finish();
  const auto snapshot = followed.engine.latest();
  CHECK(snapshot->training->run->step == 30);
  CHECK(snapshot->training->step == 30);
  REQUIRE(snapshot->other);
  CHECK(snapshot->other->training->side.get() == &*snapshot->training->run->other);
  CHECK((*snapshot->other->pass->trace)["logits"](1, 7) != (*snapshot->pass->trace)["logits"](1, 7));
}

// Weights that move are published together with what decoding makes of them. Broken off for the next request,
// decoding took the text's own pass with it, and what followed stood on the text before.
TEST_CASE("while a model is trained, whatever is asked for soon after a text is about that text") {
  FollowedRun followed(shortPlan(1'000'000));
  followed.workspace.decoding.depth = 12;
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    followed.workspace.text = round % 2 ? "ab>" : "abcdef>";
    followed.ask();
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(2000)));
    followed.workspace.look.inspectorOpen ^= true;
    CHECK(followed.answer()->pass->text == followed.workspace.text);
  }
}

TEST_CASE("going back to a run that was looked at before opens it again") {
  FollowedRun followed(shortPlan());
  followed.training->finish();
  const std::string first = followed.workspace.model, second = followed.training->begin(shortPlan());
  followed.training->finish();
  for (const std::string& run : {second, first, second, first}) {
    followed.workspace.model = run;
    CHECK(followed.answer()->training->run->name == run);
    CHECK(followed.training->report()->name == run);
  }
}

TEST_CASE("while a run is opened, typing is answered by the model that is open, and the run follows") {
  FollowedRun kept(shortPlan());
  kept.training->finish();
  kept.training->begin(shortPlan());  // so that the first run is open nowhere
  kept.training->finish();
  const auto training = std::make_shared<Training>(shortRunsIn(kept.folder.path()));
  Engine engine{[](const std::string& name, const ProgressCallback&) { return makeSmallModel(name); }, [] {},
                neededFor, 1, training};
  Workspace workspace = kept.workspace;
  workspace.model = "copy";
  engine.request(workspace, 1);
  engine.finish();
  training->begin({.task = "stories"});  // keeps the thread that opens runs busy
  workspace.model = kept.workspace.model;
  for (std::uint64_t revision = 2; revision < 6; ++revision) {
    workspace.text += "a";
    engine.request(workspace, revision);
    while (engine.latest()->revision < revision && !training->report())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(engine.latest()->pass->text == workspace.text);
    CHECK(engine.latest()->model->name == "copy");
    CHECK(engine.latest()->standing.error == "");
  }
  CHECK(!training->report());  // all of that before any run was there
  training->cancel();
  engine.finish();
  REQUIRE(engine.latest()->training->run);
  CHECK(engine.latest()->training->run->name == workspace.model);
  CHECK(engine.latest()->pass->text == workspace.text);
  CHECK(engine.latest()->standing.asked == workspace.model);
}

TEST_CASE("a run that cannot be opened is an error of the snapshot, until the next change tries again") {
  FollowedRun followed(shortPlan());
  followed.training->finish();
  followed.workspace.model = "run:nobody-7";
  CHECK(followed.answer()->standing.error != "");
  CHECK(followed.training->refused() == "run:nobody-7");
  followed.workspace.model = "run:copy-1";
  CHECK(followed.answer()->standing.error == "");
  CHECK(followed.engine.latest()->training->run->name == "run:copy-1");
}

TEST_CASE("the optimizer's past is looked up only where it is looked at") {
  FollowedRun followed(shortPlan());
  followed.training->finish();
  followed.workspace.settings.training.at = 5;
  CHECK(!followed.answer()->training->optimizer);
  followed.workspace.view = "training";
  followed.workspace.settings.pictures["training"] = "optimizer";
  const auto then = followed.answer();
  REQUIRE(then->training->optimizer);
  CHECK(then->training->optimizerStep == 5);
  followed.workspace.settings.training.at = TrainingSettings::newest;
  CHECK(followed.answer()->training->optimizer.get() == followed.training->report()->side.optimizer.get());
}
