#pragma once
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include "app/engine/training.h"

namespace glassformer {

/// A run that is over in a moment.
inline TrainingPlan shortPlan(int steps = 12) {
  TrainingPlan plan{.task = "copy", .steps = steps};
  plan.changes = {{"n_layer", "1"}, {"n_embd", "32"}, {"n_inner", "32"}, {"n_head", "2"}};
  return plan;
}

inline Training::Options shortRunsIn(const std::filesystem::path& folder) {
  return {.folder = folder, .threads = 1, .budget = std::size_t{8} << 20};
}

/// The report of a run, opened where it is closed.
inline Result<std::shared_ptr<const RunReport>> openedRun(Training& training, const std::string& run) {
  if (auto there = training.reportOf(run)) return there;
  training.open(run);
  training.finish();
  return training.reportOf(run);
}

inline void waitUntil(const std::function<bool()>& that) {
  for (int i = 0; i < 60'000; ++i) {
    if (that()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  FAIL("waited for too long");
}

/// The name of a run that is ready to train, and open.
inline std::string preparedRun(Training& training) {
  const std::string run = training.begin(shortPlan());
  training.finish();
  REQUIRE(openedRun(training, run));
  return run;
}

/// All weights of a run, as they were at a step; -1: as they are.
inline std::vector<float> weightsOfRun(const RunVariant& side, int step = -1) {
  std::vector<float> values;
  const auto model = side.modelAt(step);
  const Parameters& parameters = model->parameters();
  for (int i = 0; i < parameters.count(); ++i)
    parameters.view(i).forEach([&](const auto&, float value) { values.push_back(value); });
  return values;
}

/// What a run ends with that nothing breaks off.
inline std::vector<float> trainedWithoutABreak(const std::filesystem::path& folder,
                                               const TrainingPlan& plan) {
  Training training(shortRunsIn(folder));
  training.begin(plan);
  training.finish();
  REQUIRE(training.report());
  REQUIRE(training.report()->state == RunReport::State::Finished);
  return weightsOfRun(training.report()->side);
}

}  // namespace glassformer
