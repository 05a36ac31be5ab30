#pragma once
#include <string>

namespace glassformer {

/// Settings of the training view, and of everything that follows a run.
struct TrainingSettings {
  static constexpr int newest = -1;

  int at = newest;     ///< the step whose weights all views show
  std::string weight;  ///< whose moments are shown; empty: the first matrix of attention

  bool operator==(const TrainingSettings&) const = default;
};

}  // namespace glassformer
