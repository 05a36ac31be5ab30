#pragma once
#include <span>
#include <string_view>

#include "app/document/training_plan.h"

namespace glassformer {

/// Two runs side by side that are known to end differently: a plan that is ready to start. What `meaning`
/// says becomes of them, a test trains.
struct TrainingPreset {
  std::string_view label, meaning;
  TrainingPlan (*plan)();
  const char* view = "training";  ///< that opens as it starts; another one has both runs side by side
};
/// Post-norm in a deep stack needs warm-up (Xiong et al. 2020): the same stack without it, and with its norms
/// in front instead. And a small model whose unembedding is its embedding (Press & Wolf 2017), beside one
/// with both; and a classifier that reads its last token (Radford et al. 2018), beside one that reads the
/// mean.
/// At last what Li et al. 2018 drew: the loss around two trained models, with residual connections and
/// without.
std::span<const TrainingPreset> trainingPresets();
/// Which of them a plan is; −1: none.
int presetOf(const TrainingPlan& plan);

}  // namespace glassformer
