#include "app/document/training_variants.h"

#include <catch2/catch_test_macros.hpp>

#include "app/engine/planned_run.h"
#include "core/train/training_numbers.h"

using namespace glassformer;

TEST_CASE("every variant of a run can be trained, or says which choice stands against it") {
  for (const char* task : {"copy", "induction"}) {
    int apart = 0, refused = 0;
    for (int i = 1; i < static_cast<int>(trainingVariants().size()); ++i) {
      INFO(task << ", " << trainingVariants()[static_cast<std::size_t>(i)].label);
      TrainingPlan plan{.task = task};
      setVariant(plan, i);
      CHECK(variantOf(plan) == i);
      const auto run = planned(plan);
      if (!run) {  // rotary positions turn queries and keys, which a recurrence has none of
        CHECK(std::string(trainingVariants()[static_cast<std::size_t>(i)].label) == "recurrence");
        CHECK(run.error().what.find("position_embedding_type") != std::string::npos);
        ++refused;
        continue;
      }
      REQUIRE(run->recipes.size() == 2);
      const Recipe &one = run->recipes[0], &other = run->recipes[1];
      CHECK(one.seed == other.seed);
      apart += one.config != other.config || one.options.schedule != other.options.schedule ||
               one.numbers != other.numbers;
    }
    // Of each pair of opposites (pre and post, tied and untied) the recipe has one; the last begins as the
    // first.
    CHECK(apart + refused == static_cast<int>(trainingVariants().size()) - 1 - 2 - 1);
    CHECK(refused == (std::string(task) == "induction"));
  }
}

TEST_CASE("a second run with numbers of its own is the first, changed") {
  TrainingPlan plan{.task = "copy", .steps = 30};
  plan.changes = {{"n_head", "2"}};
  setVariant(plan, ownNumbersVariant);
  CHECK(variantOf(plan) == ownNumbersVariant);
  CHECK(hasTwins(plan));
  TrainingPlan beside = planBeside(plan);
  ask(beside, *findTrainingNumber("batch"), "4");
  ask(beside, *findTrainingNumber("layers"), "1");
  setPlanBeside(plan, beside);
  CHECK(variantOf(plan) == ownNumbersVariant);
  CHECK_FALSE(hasTwins(plan));
  const auto run = planned(plan);
  REQUIRE(run);
  REQUIRE(run->recipes.size() == 2);
  const Recipe &first = run->recipes[0], &second = run->recipes[1];
  CHECK(first.config.heads == 2);
  CHECK(second.config.heads == 2);
  CHECK(first.config.layers > second.config.layers);
  CHECK(second.config.layers == 1);
  CHECK(second.options.sequences == 4);
  CHECK(second.steps == 30);
}

TEST_CASE("one run alone is no variant") {
  TrainingPlan plan;
  setVariant(plan, 3);
  setVariant(plan, 0);
  CHECK(variantOf(plan) == 0);
  CHECK(plan == TrainingPlan{});
}
