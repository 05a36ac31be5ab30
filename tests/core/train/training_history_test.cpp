#include "core/train/training_history.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace glassformer;
using Catch::Approx;

namespace {

// Step s has loss s, gradient norm 10 s, and two groups.
TrainingHistory countingHistory(int steps) {
  TrainingHistory history{.groups = 2};
  for (int s = 1; s <= steps; ++s)
    history.add({s, 1.0 * s, 10.0 * s, 0.5f, {{1.0 * s, 0.1 * s}, {2.0 * s, 0.2 * s}}});
  return history;
}

TensorSet measured(const TrainingHistory& history, int planned) {
  TensorSet set;
  TrainingOptions options;
  options.schedule = {ScheduleKind::Constant, 0.25f, 0, planned};
  measureTraining(history, TrainingAxis::of(planned), options, set);
  return set;
}

}  // namespace

TEST_CASE("a short run has a column per step") {
  TrainingHistory history = countingHistory(3);
  history.heldOut.push_back({2, 7.5, 0.75});
  const TensorSet set = measured(history, 5);
  REQUIRE(set["training.loss"].extent[0] == 5);
  CHECK(set["training.loss"](2) == 3);
  CHECK(std::isnan(set["training.loss"](3)));
  CHECK(set["training.gradient_norm"](1) == 20);
  CHECK(set["training.gradient_norm_by_group"](1, 2) == 6);
  CHECK(set["training.update_ratio_by_group"](0, 0) == Approx(0.1));
  CHECK(set["training.held_out_loss"](1) == 7.5f);
  CHECK(std::isnan(set["training.held_out_loss"](0)));
  CHECK(set["training.right_share"](1) == 0.75f);
  CHECK(set["training.learning_rate"](2) == 0.5f);   // what was used
  CHECK(set["training.learning_rate"](3) == 0.25f);  // what is ahead
}

TEST_CASE("learning rates open into peak and schedule, a gradient into its parts") {
  TrainingOptions options;
  for (const ScheduleKind kind : {ScheduleKind::Constant, ScheduleKind::Cosine, ScheduleKind::InverseSqrt}) {
    options.schedule = {kind, 0.25f, 4, 12, 0.1f, 64};
    if (kind == ScheduleKind::Cosine) options.schedule.later = {{8, 0.5f}};
    TensorSet set;
    measureTraining({.groups = 2}, TrainingAxis::of(12), options, set);
    for (int i = 0; i < 12; ++i) {
      INFO(nameOf(kind) << " " << i);
      const auto rate = set.derive("training.learning_rate", {i});
      REQUIRE(rate);
      CHECK(rate->value() == Approx(options.schedule.rate(i + 1)));
      CHECK(rate->terms.front().factor == &set["training.schedule"](i));
      CHECK(set.derive("training.schedule", {i})->value() == Approx(set["training.schedule"](i)));
    }
    CHECK_FALSE(set.derive("training.gradient_norm", {0}));  // not yet known
  }
  TrainingHistory history{.groups = 2};
  history.add({1, 1.0, 5.0, 0.5f, {{3.0, 0.1}, {4.0, 0.1}}});  // by another rate than the schedule's
  TensorSet set;
  measureTraining(history, TrainingAxis::of(3), options, set);
  CHECK(set.derive("training.gradient_norm", {0})->value() == Approx(5));
  CHECK_FALSE(set.derive("training.learning_rate", {0}));
}

TEST_CASE("columns of a long run are means over their steps") {
  const TrainingAxis axis = TrainingAxis::of(10'000);
  CHECK(axis.columns <= TrainingAxis::mostColumns);
  CHECK(axis.columns * axis.stride >= 10'000);
  CHECK(axis.stepOf(axis.columns - 1) == 10'000);
  CHECK(axis.columnOf(1) == 0);
  CHECK(axis.columnOf(axis.stepOf(17)) == 17);
  const TensorSet set = measured(countingHistory(axis.stride + 1), 10'000);
  CHECK(set["training.loss"](0) == Approx((1 + axis.stride) / 2.0));
  CHECK(set["training.loss"](1) == Approx(axis.stride + 1));
  CHECK(std::isnan(set["training.loss"](2)));
}

TEST_CASE("steps whose gradient was clipped are counted by column, beside the threshold") {
  TensorSet set;
  TrainingOptions options;
  options.clip = 25;
  measureTraining(countingHistory(4), TrainingAxis::of(6), options, set);  // norms 10, 20, 30, 40
  for (int i = 0; i < 6; ++i) CHECK(set["training.clipping"](i) == 25);
  CHECK(set["training.clipped_share"](1) == 0);
  CHECK(set["training.clipped_share"](2) == 1);
  CHECK(std::isnan(set["training.clipped_share"](4)));
  const int stride = TrainingAxis::of(10'000).stride;
  options.clip = 15;  // all but the first
  TensorSet columns;
  measureTraining(countingHistory(stride), TrainingAxis::of(10'000), options, columns);
  CHECK(columns["training.clipped_share"](0) == Approx((stride - 1.0) / stride));
  options.clip = 0;
  TensorSet none;
  measureTraining(countingHistory(4), TrainingAxis::of(6), options, none);
  CHECK_FALSE(none.contains("training.clipping"));
}

TEST_CASE("what came after a step can be forgotten") {
  TrainingHistory history = countingHistory(6);
  history.heldOut = {{2, 1, -1}, {5, 1, -1}};
  history.cutAfter(4);
  CHECK(history.steps() == 4);
  CHECK(history.groupUpdate.size() == 8);
  CHECK(history.heldOut.size() == 1);
}
