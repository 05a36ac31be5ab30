#pragma once
#include <filesystem>

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

}  // namespace glassformer
