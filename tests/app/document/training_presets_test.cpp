#include "app/document/training_presets.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "app/document/training_variants.h"
#include "app/engine/landscapes.h"
#include "app/engine/planned_run.h"
#include "core/model/parameters.h"
#include "core/train/answers.h"

using namespace glassformer;

namespace {

// What a side of a prepared pair comes to: its loss over the last steps, and the share of held-out questions
// that it answers.
struct Ending {
  double loss = 0, right = 0;
};
Ending endOf(const PlannedRun& planned, std::size_t side) {
  constexpr int lastSteps = 50;
  TrainingRun run(planned.task, planned.recipes[side], 2);
  Ending end;
  while (!run.finished()) {
    const double loss = run.advance().loss;
    if (run.step() > run.recipe().steps - lastSteps) end.loss += loss / lastSteps;
  }
  end.right = shareRight(answer(run.model(), planned.task->tokenizer(), planned.task->examples(200)));
  return end;
}

PlannedRun pair(std::size_t preset) {
  auto run = planned(trainingPresets()[preset].plan());
  REQUIRE(run);
  REQUIRE(run->recipes.size() == 2);
  return *std::move(run);
}

}  // namespace

TEST_CASE("a prepared pair is two runs that differ in what its variant says") {
  for (std::size_t i = 0; i < trainingPresets().size(); ++i) {
    const TrainingPlan plan = trainingPresets()[i].plan();
    INFO(trainingPresets()[i].label);
    CHECK(presetOf(plan) == static_cast<int>(i));
    CHECK(variantOf(plan) > 0);
    const PlannedRun run = pair(i);
    CHECK(run.recipes[0].seed == run.recipes[1].seed);
    TrainingPlan other = plan;
    other.steps += 1;
    CHECK(presetOf(other) == -1);
  }
  CHECK(presetOf(TrainingPlan{}) == -1);
  const PlannedRun warmup = pair(0), norms = pair(1);
  for (const PlannedRun& run : {warmup, norms}) {
    CHECK(run.recipes[0].config.layers == 12);
    CHECK(run.recipes[0].config.normPlacement == NormPlacement::Post);
  }
  CHECK(warmup.recipes[0].options.schedule.warmup == 200);
  CHECK(warmup.recipes[1].options.schedule.warmup == 0);
  CHECK(warmup.recipes[1].options.schedule.peak == warmup.recipes[0].options.schedule.peak);
  CHECK(norms.recipes[1].config.normPlacement == NormPlacement::Pre);
  CHECK(norms.recipes[1].options.schedule == norms.recipes[0].options.schedule);
  // Both pairs fail alike: three runs show all that they say.
  CHECK(warmup.recipes[1].config == norms.recipes[0].config);
  CHECK(warmup.recipes[1].options.schedule == norms.recipes[0].options.schedule);
}

TEST_CASE("deep post-norm fails without warm-up and learns with it or with its norms in front",
          "[accuracy]") {
  const PlannedRun warmup = pair(0), norms = pair(1);
  const Ending fails = endOf(warmup, 1), warmedUp = endOf(warmup, 0), preNorm = endOf(norms, 1);
  INFO("fails " << fails.loss << " " << fails.right << ", warmed up " << warmedUp.loss << " "
                << warmedUp.right << ", pre-norm " << preNorm.loss << " " << preNorm.right);
  CHECK(std::abs(fails.loss - std::log(2)) < 0.02);  // as good as a coin
  CHECK(fails.right < 0.6);
  CHECK(warmedUp.loss < 0.05);
  CHECK(warmedUp.right > 0.95);
  CHECK(preNorm.loss < 0.3);
  CHECK(preNorm.right > 0.8);
}

TEST_CASE("the letters are learned with the unembedding tied and with one of its own", "[accuracy]") {
  const PlannedRun letters = pair(2);
  CHECK(letters.recipes[0].config.tiedUnembedding);
  CHECK_FALSE(letters.recipes[1].config.tiedUnembedding);
  CHECK(parameterSpecs(letters.recipes[1].config).size() ==
        parameterSpecs(letters.recipes[0].config).size() + 1);
  for (const std::size_t side : {0u, 1u}) CHECK(endOf(letters, side).right == 1);
}

TEST_CASE("reviews are told apart by a head for classes, off the last token and off the mean", "[accuracy]") {
  const PlannedRun reviews = pair(3);
  for (const std::size_t side : {0u, 1u}) {
    const ModelConfig& config = reviews.recipes[side].config;
    CHECK(config.pooling == (side == 0 ? Pooling::Last : Pooling::Mean));
    CHECK(reviews.task->tokenizer().decode(std::vector{config.firstClass, config.firstClass + 1}) ==
          reviews.task->tokenizer().decode(reviews.task->tokenizer().encodeIds("negative positive")));
    TrainingRun run(reviews.task, reviews.recipes[side], 2);
    while (!run.finished()) run.advance();
    const auto examples = reviews.task->examples(200);
    const auto said = classified(run.model(), reviews.task->tokenizer(), examples);
    CHECK(shareRight(said) > 0.97);
    CHECK(shareRight(answer(run.model(), reviews.task->tokenizer(), examples)) > 0.97);
    for (const Answered& each : said) CHECK((each.given == "positive" || each.given == "negative"));
  }
}

TEST_CASE("without residual connections the loss around trained weights rises higher", "[accuracy]") {
  const PlannedRun residuals = pair(4);
  CHECK(trainingPresets()[4].view == std::string("landscape"));
  float highest[2], lowest[2];
  for (const std::size_t side : {0u, 1u}) {
    CHECK(residuals.recipes[side].config.residual == (side == 0));
    TrainingRun run(residuals.task, residuals.recipes[side], 2);
    while (!run.finished()) run.advance();
    const auto model = run.model();
    CHECK(shareRight(answer(model, residuals.task->tokenizer(), residuals.task->examples(200))) > 0.99);
    LandscapeSurvey survey(model->config(), model->parameters(), landscapeData(*residuals.task),
                           {.side = 9, .radius = 1, .seed = 1}, 2);
    survey.run(noProgress, [] {});
    const Landscape landscape = survey.landscape();
    const auto& losses = landscape.loss.values();
    highest[side] = *std::ranges::max_element(losses), lowest[side] = *std::ranges::min_element(losses);
  }
  INFO("highest " << highest[0] << " with, " << highest[1] << " without; lowest " << lowest[0] << ", "
                  << lowest[1]);
  CHECK(highest[1] > 1.2f * highest[0]);
  CHECK(std::max(lowest[0], lowest[1]) < 0.05f);
}

TEST_CASE("a schedule is changed by a word or replaced by its numbers") {
  const Schedule own{ScheduleKind::Cosine, 0.01f, 50, 300, 0.1f, 64};
  CHECK(*changedSchedule(own, "") == own);
  CHECK(changedSchedule(own, "no warm-up")->warmup == 0);
  CHECK(changedSchedule(own, "no warm-up")->peak == own.peak);
  CHECK(*changedSchedule(own, "constant") == own.as(ScheduleKind::Constant));
  const Schedule other{ScheduleKind::Constant, 0.002f, 7, 300, 0.1f, 64};
  CHECK(*changedSchedule(own, other.description()) == other);
  const auto refused = changedSchedule(own, "linear");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "linear");
  CHECK(refused.error().hint.find("no warm-up") != std::string::npos);
}

TEST_CASE("the second side's schedule is the first's with one thing otherwise") {
  TrainingPlan plan{.task = "copy", .steps = 20, .schedule = "constant", .two = true};
  plan.otherSchedule = noWarmup;
  const auto run = planned(plan);
  REQUIRE(run);
  CHECK(run->recipes[0].options.schedule.kind == ScheduleKind::Constant);
  CHECK(run->recipes[1].options.schedule.kind == ScheduleKind::Constant);
  CHECK(run->recipes[0].options.schedule.warmup > 0);
  CHECK(run->recipes[1].options.schedule.warmup == 0);
}
