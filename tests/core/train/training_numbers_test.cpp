#include "core/train/training_numbers.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "core/model/initialization.h"
#include "core/model/positional/positional_encoding.h"
#include "core/train/tasks/training_tasks.h"

using namespace glassformer;

namespace {

Recipe copyRecipe() { return findTrainingTask("copy")->recipe(1, 0); }

}  // namespace

TEST_CASE("every number of a run is described once and holds what every recipe has") {
  std::set<std::string> ids, names;
  for (const TrainingNumber& number : trainingNumbers()) {
    INFO(number.id);
    CHECK(ids.insert(number.id).second);
    CHECK(names.insert(number.name).second);
    CHECK(findTrainingNumber(number.id) == &number);
    CHECK_FALSE(number.meaning.empty());
    CHECK_FALSE(number.meaning.ends_with('.'));
    CHECK(number.least < number.most);
    for (const TrainingTaskEntry& task : trainingTasks()) {
      const float value = number.get(task.recipe(1, 0));
      CHECK(value >= number.least);
      CHECK(value <= number.most);
    }
  }
  for (const char* id : {"batch", "rate", "warmup", "beta1", "beta2", "epsilon", "weight-decay", "clip",
                         "dropout", "layers", "width", "heads", "seed", "steps"})
    CHECK(ids.contains(id));
}

TEST_CASE("a number that is set is the one that is got, and the others stay") {
  for (const TrainingNumber& number : trainingNumbers()) {
    if (!number.set) continue;
    INFO(number.id);
    Recipe recipe = copyRecipe();
    const float wanted = number.decimals > 0 ? std::min(0.25f, number.most)
                         : number.most < 3   ? number.least
                                             : 3;
    const std::string other = textOf(number, wanted);
    REQUIRE(setNumber(recipe, number.id, other));
    CHECK(valueOf(number, recipe) == other);
    const Recipe usual = copyRecipe();
    for (const TrainingNumber& each : trainingNumbers())
      if (&each != &number) CHECK(valueOf(each, recipe) == valueOf(each, usual));
  }
}

TEST_CASE("a batch of any size is split into parts that are alike") {
  for (int size = 1; size <= 40; ++size) {
    Recipe recipe = copyRecipe();
    const int most = recipe.options.shards;
    REQUIRE(setNumber(recipe, "batch", std::to_string(size)));
    CHECK(recipe.options.sequences == size);
    CHECK(size % recipe.options.shards == 0);
    CHECK(recipe.options.shards == (size % 2 == 0 ? most : 1));
  }
}

TEST_CASE("the peak of the schedule of 2017 is where its warm-up ends") {
  Recipe recipe = copyRecipe();
  Schedule& schedule = recipe.options.schedule;
  schedule = {ScheduleKind::InverseSqrt, 1, 400, 1000, 0, 512};
  REQUIRE(setNumber(recipe, "rate", "0.001"));
  CHECK(std::abs(schedule.rate(400) - 0.001f) < 1e-9f);
  CHECK(schedule.rate(399) < schedule.rate(400));
  CHECK(schedule.rate(401) < schedule.rate(400));
}

TEST_CASE("what is no such number is refused with its limits") {
  const auto refusal = [](const char* id, const char* value) {
    Recipe recipe = copyRecipe();
    const Status set = setNumber(recipe, id, value);
    return set ? "" : set.error().message();
  };
  CHECK(refusal("beta1", "1") == "beta1: 1 is out of range (it can be 0 to 0.9999)");
  CHECK(refusal("batch", "2.5") == "batch: \"2.5\" is not a whole number");
  CHECK(refusal("epsilon", "0") == "epsilon: 0 is out of range (it can be 1e-12 to 0.1)");
  CHECK(refusal("clip", "nan") == "clip: nan is out of range (it can be 0 to 100)");
  CHECK(refusal("clip", "1x") == "clip: \"1x\" is not a number");
  CHECK(refusal("seed", "2") == "seed: no such number");  // the task is made with it
  CHECK(refusal("optimizer", "adam") == "optimizer: there is no \"adam\" (it can be adamw, sgd)");
  CHECK(refusal("gamma", "2") == "gamma: no such number");
}

TEST_CASE("what a run has otherwise is told as a command line has it") {
  const Recipe usual = copyRecipe();
  Recipe recipe = usual;
  CHECK(changedNumbers(usual, recipe) == "");
  for (const auto& [id, value] :
       {std::pair{"beta2", "0.999"}, {"epsilon", "1e-06"}, {"batch", "12"}, {"warmup", "7"}, {"layers", "3"}})
    REQUIRE(setNumber(recipe, id, value));
  CHECK(changedNumbers(usual, recipe) == "--batch-size 12 --beta2 0.999 --epsilon 1e-06");
  Recipe again = usual;  // read back, the same bits
  REQUIRE(setNumber(again, "epsilon", "1e-06"));
  CHECK(again.options.epsilon == recipe.options.epsilon);
  CHECK(recipe.options.epsilon == 1e-6f);
}

TEST_CASE("the optimizer is chosen by name, and its numbers are those that matter") {
  Recipe recipe = copyRecipe();
  const auto matters = [&](const char* id) { return findTrainingNumber(id)->matters(recipe); };
  CHECK(valueInWords(*findTrainingNumber("optimizer"), recipe) == "AdamW");
  CHECK(matters("beta2"));
  CHECK_FALSE(matters("momentum"));
  REQUIRE(setNumber(recipe, "optimizer", "sgd"));
  CHECK(recipe.options.optimizer == OptimizerKind::Sgd);
  CHECK(valueInWords(*findTrainingNumber("optimizer"), recipe) == "SGD");
  CHECK_FALSE(matters("beta2"));
  CHECK(matters("momentum"));
  CHECK_FALSE(matters("growth-behind"));
  REQUIRE(setNumber(recipe, "batch-growth", "4"));
  CHECK(matters("growth-behind"));
  CHECK(changedNumbers(copyRecipe(), recipe) == "--batch-growth 4 --optimizer sgd");
}

TEST_CASE("learned positions begin as sinusoids or as noise, as the number says") {
  Recipe recipe = copyRecipe();
  REQUIRE(recipe.config.positions->learnsTable());
  recipe.config.vocabulary = 20;
  const auto startOf = [&](const char* value) {
    REQUIRE(setNumber(recipe, "sinusoidal-start", value));
    Parameters parameters(parameterSpecs(recipe.config));
    initialize(recipe.config, parameters, recipe.scale, recipe.seed);
    return parameters["wpe.weight"].copy();
  };
  const std::vector<float> waves = startOf("1"), noise = startOf("0");
  CHECK(waves[0] == 0);         // sin 0
  CHECK(waves[1] == waves[3]);  // cos 0 of every pair
  CHECK(noise[1] != noise[3]);
  double square = 0;
  for (const float value : noise) square += static_cast<double>(value) * value;
  const double deviation = std::sqrt(square / static_cast<double>(noise.size()));
  CHECK(deviation == Catch::Approx(recipe.scale.position).epsilon(0.1));
}
