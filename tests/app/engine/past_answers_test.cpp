#include "app/engine/past_answers.h"

#include <catch2/catch_test_macros.hpp>

#include "core/train/answers.h"
#include "tests/app/engine/followed_run.h"

using namespace glassformer;

TEST_CASE("the engine asks the model of the past what it answered then, where that is looked at") {
  TrainingPlan plan = shortPlan(30);
  plan.two = true, plan.otherSchedule = noWarmup;
  FollowedRun followed(plan);
  followed.training->finish();
  Workspace& workspace = followed.workspace;
  workspace.comparison.with = Comparison::otherRun;
  workspace.settings.training.at = 7;
  CHECK(!followed.answer()->training->answers);  // nobody looks
  workspace.view = "training", workspace.settings.pictures["training"] = "answers";
  const auto then = followed.answer();
  for (const Snapshot* snapshot : {then.get(), then->other.get()}) {
    REQUIRE(snapshot->training->answers);
    const std::vector<Example> questions = snapshot->training->run->task->examples(32);
    const auto expected =
        answer(snapshot->training->side->modelAt(7), *snapshot->training->run->tokenizer, questions);
    REQUIRE(snapshot->training->answers->size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK((*snapshot->training->answers)[i].given == expected[i].given);
  }
  workspace.settings.training.at = TrainingSettings::newest;
  const auto now = followed.answer();
  CHECK(now->training->answers.get() == &now->training->run->side.answers);
}

TEST_CASE("a run that gets the name of another one is asked for itself") {
  TrainingPlan plan = shortPlan(30);
  FollowedRun followed(plan);
  Training& training = *followed.training;
  training.finish();
  Workspace& workspace = followed.workspace;
  workspace.settings.training.at = 7;
  workspace.view = "training", workspace.settings.pictures["training"] = "answers";
  const auto before = followed.answer()->training->answers;
  REQUIRE(before);
  training.begin(shortPlan(1));
  training.finish();
  training.remove(workspace.model);
  training.finish();
  plan.seed = 2;
  REQUIRE(training.begin(plan) == workspace.model);
  training.finish();
  const auto snapshot = followed.answer();
  REQUIRE(snapshot->training->answers);
  const auto expected = answer(snapshot->training->side->modelAt(7), *snapshot->training->run->tokenizer,
                               snapshot->training->run->task->examples(32));
  REQUIRE(snapshot->training->answers->size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK((*snapshot->training->answers)[i].given == expected[i].given);
  CHECK(snapshot->training->answers != before);
}
