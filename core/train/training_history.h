#pragma once
#include <algorithm>
#include <vector>

#include "core/trace/tensor_set.h"
#include "core/train/trainer.h"

namespace glassformer {

/// What was measured on held-out data after a step.
struct HeldOutReport {
  int step = 0;
  double loss = 0;         ///< mean cross-entropy in nats
  double rightShare = -1;  ///< of the answers; -1: nothing was asked
};

/// Everything a run has reported, from step 1 on.
struct TrainingHistory {
  int groups = 0;                                                  ///< G, see parameterGroups()
  std::vector<float> loss, gradientNorm, learningRate, headsApart; /* [steps] */
  std::vector<float> groupGradient, groupUpdate;                   /* [steps, G] */
  std::vector<HeldOutReport> heldOut;

  int steps() const { return static_cast<int>(loss.size()); }
  /// Of the step after the last one.
  void add(const StepReport& report);
  /// Forgets what came after a step.
  void cutAfter(int step);
};

/// Where the curves of a run lie: columns of `stride` steps each, the first of which is step 1.
struct TrainingAxis {
  static constexpr int mostColumns = 800;

  int steps = 1;  ///< of the whole run
  int stride = 1, columns = 1;

  static TrainingAxis of(int steps);
  int columnOf(int step) const { return std::clamp((step - 1) / stride, 0, columns - 1); }
  /// The last step of a column.
  int stepOf(int column) const { return std::min((column + 1) * stride, steps); }
};

/// Adds training.* to the set, over the axis' columns (I); NaN where nothing is known: loss and gradient_norm
/// (means over a column's steps), held_out_loss and right_share (where they were measured), learning_rate
/// (what was used, and what the schedule has ahead), heads_apart (the largest difference
/// between heads), clipping and clipped_share (the norm that gradients are
/// scaled down to, and how many of a column's steps were; not where nothing is clipped),
/// gradient_norm_by_group and update_ratio_by_group [G, I].
void measureTraining(const TrainingHistory& history, const TrainingAxis& axis, const TrainingOptions& options,
                     TensorSet& set);

}  // namespace glassformer
