#pragma once
#include <string>

namespace glassformer {

/// Which picture the training view draws: the curves of the run, what becomes of every part of the model, the
/// optimizer's numbers for one weight, or what the model answers.
enum class TrainingLayout { Curves, Parts, Optimizer, Answers };

/// Settings of the training view, and of everything that follows a run.
struct TrainingSettings {
  static constexpr int newest = -1;

  TrainingLayout layout = TrainingLayout::Curves;
  int at = newest;     ///< the step whose weights all views show
  std::string weight;  ///< whose moments are shown; empty: the first matrix of attention

  bool operator==(const TrainingSettings&) const = default;
};

}  // namespace glassformer
