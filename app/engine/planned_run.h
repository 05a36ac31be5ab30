#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "app/document/training_plan.h"
#include "core/text/tokenizer.h"
#include "core/train/training_task.h"

namespace glassformer {

/// The model that a run begins with, where it does not begin with a random one.
struct StartingModel {
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Tokenizer> tokenizer;
};

/// The task of a plan, and its recipe with what the plan changes, for each side. An error names the field.
struct PlannedRun {
  std::shared_ptr<const TrainingTask> task;
  std::vector<Recipe> recipes;
};
/// `text`: the file that the task "text" reads; empty: the plan's.
Result<PlannedRun> planned(const TrainingPlan& plan, const StartingModel& start = {},
                           const std::filesystem::path& text = {});

}  // namespace glassformer
