#include "app/document/training_plan.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/training_plan_json.h"
#include "app/document/training_presets.h"
#include "app/document/training_variants.h"
#include "app/engine/planned_run.h"
#include "core/train/training_numbers.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// Another value for every number that a plan can ask for.
std::string otherValue(const TrainingNumber& number) {
  return !number.names.empty()                      ? textOf(number, 1)
         : number.most == 1 && number.decimals == 0 ? "0"
         : number.decimals == 0                     ? "8"
                                                    : textOf(number, std::min(0.25f, number.most));
}

}  // namespace

TEST_CASE("every number that is asked for is the one that is used, and asking for nothing brings it back") {
  const TrainingPlan usual{.task = "copy"};
  for (const TrainingNumber& number : trainingNumbers()) {
    INFO(number.id);
    TrainingPlan plan = usual;
    ask(plan, number, otherValue(number));
    CHECK(plan != usual);
    CHECK(asked(plan, number) == otherValue(number));
    const auto run = planned(plan);
    INFO((run ? "" : run.error().message()));
    REQUIRE(run);
    CHECK(valueOf(number, run->recipes[0]) == otherValue(number));
    CHECK(planInWords(plan).empty() != number.matters(run->recipes[0]));
    const auto read = planFromJson(toJsonText(plan), "plan");
    REQUIRE(read);
    CHECK(*read == plan);
    ask(plan, number, "");
    CHECK(plan == usual);
  }
  CHECK(planInWords(usual).empty());
}

TEST_CASE("a seed that no number of the program can hold is refused, and said") {
  for (const auto& [seed, why] : {std::pair{"628e79", "is too large"},
                                  {"18446744073709551616", "is too large"},
                                  {"-1", "is below 0"}}) {
    INFO(seed);
    const auto read = planFromJson(std::string(R"({"seed": )") + seed + "}", "plan");
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error().message(), ContainsSubstring("seed") && ContainsSubstring(why));
  }
  CHECK(planFromJson(R"({"seed": 18446744073709551615})", "plan")->seed == 18446744073709551615u);
}

TEST_CASE("plans of earlier days are those that the set-up makes now") {
  const auto read = planFromJson(R"({"task": "reviews", "characters": true, "keepsModel": false, "seed": 3,
    "steps": 400, "changes": [["n_layer", "12"], ["n_embd", "32"], ["n_inner", "64"], ["norm_placement", "post"]],
    "schedule": "cosine 0.004 200 400 0.02 32", "two": true, "otherChanges": [], "otherSchedule": "no warm-up"})",
                                 "plan");
  REQUIRE(read);
  TrainingPlan now = spelledOut(*read);
  CHECK(now.schedule.empty());
  CHECK(now.otherSchedule.empty());
  const auto before = planned(*read), after = planned(now);
  REQUIRE(before);
  REQUIRE(after);
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    CHECK(before->recipes[side].config == after->recipes[side].config);
    CHECK(before->recipes[side].options.schedule == after->recipes[side].options.schedule);
    CHECK(before->recipes[side].description() == after->recipes[side].description());
  }
  now.seed = 1;
  CHECK(presetOf(now) == 0);
  CHECK(trainingVariants()[static_cast<std::size_t>(variantOf(now))].label == std::string_view("no warm-up"));
  CHECK(spelledOut(now) == now);
  TrainingPlan formula{.task = "copy", .schedule = "transformer2017 1 400 1500 0.1 64"};
  CHECK(spelledOut(formula).schedule == "transformer2017");
  CHECK(planned(spelledOut(formula))->recipes[0].options.schedule.warmup == 400);
}

TEST_CASE("what a plan has otherwise is said in words") {
  TrainingPlan plan{.task = "copy", .seed = 4, .steps = 300};
  plan.numbers = {{"batch", "32"}, {"clip", "0"}};
  plan.changes = {{"norm_placement", "post"}, {"resid_pdrop", "0.1"}};
  plan.schedule = noWarmup;
  CHECK(planInWords(plan) ==
        "training steps 300, batch size 32, seed 4, warmup steps none, gradient clipping off, dropout 0.1, "
        "norm placement: Post-norm");
}

TEST_CASE("a number of a plan that cannot be is refused by its name") {
  const auto refusal = [](ModelChanges numbers) {
    TrainingPlan plan{.task = "copy"};
    plan.numbers = std::move(numbers);
    const auto run = planned(plan);
    return run ? "" : run.error().message();
  };
  CHECK(refusal({{"beta2", "1.5"}}) == "beta2: 1.5 is out of range (it can be 0 to 0.9999)");
  CHECK(refusal({{"nesterov", "0.9"}}) == "nesterov: no such number");
  CHECK(refusal({{"batch", "64"}}) == "");
}

TEST_CASE("a set-up shows what was asked for also where it cannot be trained") {
  TrainingPlan plan{.task = "copy"};
  plan.changes = {{"n_head", "3"}, {"norm_placement", "post"}, {"n_layer", "many"}};
  plan.numbers = {{"batch", "8"}, {"beta1", "x"}};
  const Recipe own = *ownRecipe(plan), shown = shownRecipe(own, changesOf(plan));
  CHECK(shown.config.heads == 3);
  CHECK(shown.config.normPlacement == NormPlacement::Post);
  CHECK(shown.config.layers == own.config.layers);
  CHECK(shown.options.sequences == 8);
  CHECK(shown.options.beta1 == own.options.beta1);
  CHECK_FALSE(changedRecipe(own, changesOf(plan)));
}

TEST_CASE("the second run has the first one's numbers but for what it has otherwise") {
  TrainingPlan plan{.task = "copy", .two = true};
  plan.numbers = {{"beta2", "0.999"}, {"clip", "0.5"}};
  plan.otherNumbers = {{"clip", "0"}};
  const auto run = planned(plan);
  REQUIRE(run);
  CHECK(run->recipes[1].options.beta2 == 0.999f);
  CHECK(run->recipes[0].options.clip == 0.5f);
  CHECK(run->recipes[1].options.clip == 0);
  CHECK(run->recipes[1].numbers == "--beta2 0.999 --grad-clip 0");
}

TEST_CASE("what was changed of a plan is said by its name") {
  const TrainingPlan before{.task = "copy"};
  const auto named = [&](auto change) {
    TrainingPlan after = before;
    change(after);
    return changeInWords(before, after);
  };
  CHECK(named([](TrainingPlan&) {}) == "");
  CHECK(named([](TrainingPlan& p) { p.task = "sort"; }) == "task");
  CHECK(named([](TrainingPlan& p) { p.seed = 2; }) == "seed");
  CHECK(named([](TrainingPlan& p) { p.schedule = "constant"; }) == "schedule");
  CHECK(named([](TrainingPlan& p) { p.numbers = {{"beta2", "0.9"}}; }) == "β₂");
  CHECK(named([](TrainingPlan& p) { p.changes = {{"norm_placement", "post"}}; }) == "norm placement");
  CHECK(named([](TrainingPlan& p) { p.changes = {{"n_layer", "1"}, {"n_embd", "8"}}; }) == "several numbers");
  CHECK(named([](TrainingPlan& p) { p.two = true; }) == "a second run");
  CHECK(named([](TrainingPlan& p) { p.otherNumbers = {{"batch", "2"}}; }) == "batch size of the second run");
}
