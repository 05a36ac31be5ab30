#include "app/document/training_presets.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

// 0.004 is more than the recipe's rate, and 200 steps up twice its warm-up.
constexpr const char *warmedUp = "cosine 0.004 200 400 0.02 32", *atOnce = "cosine 0.004 0 400 0.02 32";

// So deep and narrow that it is through within a minute.
TrainingPlan deepPostNorm() {
  TrainingPlan plan{.task = "reviews", .steps = 400};
  plan.changes = {{"n_layer", "12"}, {"n_embd", "32"}, {"n_inner", "64"}, {"norm_placement", "post"}};
  plan.two = true;
  return plan;
}

TrainingPlan withAndWithoutWarmup() {
  TrainingPlan plan = deepPostNorm();
  plan.schedule = warmedUp;
  plan.otherSchedule = noWarmup;
  return plan;
}

TrainingPlan normsBehindAndInFront() {
  TrainingPlan plan = deepPostNorm();
  plan.schedule = atOnce;
  plan.otherChanges = {{"norm_placement", "pre"}};
  return plan;
}

constexpr std::array presets{
    TrainingPreset{"post-norm: warm-up or not",
                   "norms behind each sublayer, deep: learns with warm-up; fails beside it without",
                   withAndWithoutWarmup},
    TrainingPreset{"no warm-up: post- or pre-norm",
                   "no warm-up, deep: norms behind each sublayer fail; in front of them they learn",
                   normsBehindAndInFront},
};

}  // namespace

std::span<const TrainingPreset> trainingPresets() { return presets; }

int presetOf(const TrainingPlan& plan) {
  const auto found = std::ranges::find_if(presets, [&](const TrainingPreset& p) { return p.plan() == plan; });
  return found == presets.end() ? -1 : static_cast<int>(found - presets.begin());
}

}  // namespace glassformer
