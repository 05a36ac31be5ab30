#pragma once
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

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

}  // namespace glassformer
