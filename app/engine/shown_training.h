#pragma once
#include <memory>
#include <vector>

#include "app/engine/run_report.h"

namespace glassformer {

/// The run that the shown model is one of, and what is known of it at the step that is shown. Empty where the
/// model is not in training.
struct ShownTraining {
  std::shared_ptr<const RunReport> run;        ///< as it stands
  std::shared_ptr<const RunSide> side;         ///< which of its models the shown one is
  int step = 0;                                ///< after which the model is shown
  std::shared_ptr<const TensorSet> optimizer;  ///< training.*: of the weight that is watched
  int optimizerStep = 0;                       ///< that step, or the last before it whose moments are kept
  std::shared_ptr<const std::vector<Answered>> answers;  ///< after that step; null: not asked yet
};

}  // namespace glassformer
