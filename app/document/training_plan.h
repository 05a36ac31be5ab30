#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "app/document/model_changes.h"

namespace glassformer {

/// A training run as it is set up, before it begins.
struct TrainingPlan {
  std::string task = "induction";  ///< id in core/train/tasks/training_tasks.cpp
  std::string file;                ///< what the task "text" is to learn
  bool characters = true;          ///< its tokens; false: byte pairs
  bool keepsModel = false;         ///< begins with the open model, not with random weights
  std::uint64_t seed = 1;
  int steps = 0;         ///< 0: as many as the recipe has
  ModelChanges changes;  ///< of the recipe's config
  /// The recipe's, where it is empty; its kind alone ("constant") or "no warm-up" changes only that; else see
  /// Schedule::description().
  std::string schedule;

  std::string from;  ///< "sort-2, step 512": where it branched off; empty: it began by itself

  // A second run beside it, from the same seed and on the same data.
  bool two = false;
  ModelChanges otherChanges;  ///< of its config, besides those above
  std::string otherSchedule;  ///< what of the first's is otherwise; empty: nothing

  bool operator==(const TrainingPlan&) const = default;
};

/// The task that learns any text file; it is not among the others, for it needs the file.
inline constexpr std::string_view textTaskName = "text";
inline constexpr std::string_view noWarmup = "no warm-up";

/// Models that are being trained are named like this, all others not: "run:sort-2".
inline constexpr std::string_view runPrefix = "run:";
inline bool isRun(std::string_view model) { return model.starts_with(runPrefix); }
/// "sort" of "run:sort-2".
std::string taskOfRun(std::string_view run);

}  // namespace glassformer
