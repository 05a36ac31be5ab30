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
  REQUIRE(now->error == "");
  REQUIRE(now->hasTrace());
  REQUIRE(now->run);
  CHECK(now->runStep == 12);
  CHECK(now->model == "copy-1");
  followed.workspace.settings.training.at = 3;
  const auto then = followed.answer();
  CHECK(then->runStep == 3);
  CHECK((*then->trace)["logits"](1, 7) != (*now->trace)["logits"](1, 7));
  LivePass pass(now->run->side.modelAt(3), 1);
  std::vector<int> tokens;
  for (const TokenPiece& token : then->tokens) tokens.push_back(token.id);
  CHECK((*then->trace)["logits"](1, 7) == (*pass.run(tokens, {}))["logits"](1, 7));
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
  CHECK(snapshot->run->step == 30);
  CHECK(snapshot->runStep == 30);
  REQUIRE(snapshot->other);
  CHECK(snapshot->other->runSide.get() == &*snapshot->run->other);
  CHECK((*snapshot->other->trace)["logits"](1, 7) != (*snapshot->trace)["logits"](1, 7));
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
    CHECK(followed.answer()->text == followed.workspace.text);
  }
}

TEST_CASE("going back to a run that was looked at before opens it again") {
  FollowedRun followed(shortPlan());
  followed.training->finish();
  const std::string first = followed.workspace.model, second = followed.training->begin(shortPlan());
  followed.training->finish();
  for (const std::string& run : {second, first, second, first}) {
    followed.workspace.model = run;
    CHECK(followed.answer()->run->name == run);
    CHECK(followed.training->report()->name == run);
  }
}

TEST_CASE("the optimizer's past is looked up only where it is looked at") {
  FollowedRun followed(shortPlan());
  followed.training->finish();
  followed.workspace.settings.training.at = 5;
  CHECK(!followed.answer()->optimizer);
  followed.workspace.view = "training";
  followed.workspace.settings.pictures["training"] = "optimizer";
  const auto then = followed.answer();
  REQUIRE(then->optimizer);
  CHECK(then->optimizerStep == 5);
  followed.workspace.settings.training.at = TrainingSettings::newest;
  CHECK(followed.answer()->optimizer.get() == followed.training->report()->side.optimizer.get());
}
