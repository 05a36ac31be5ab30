#include "app/document/training_presets.h"

#include <algorithm>
#include <array>

namespace glassformer {

namespace {

constexpr const char* highRate = "0.004";  // more than the recipe's

// So deep and narrow that it is through within a minute.
TrainingPlan deepPostNorm() {
  TrainingPlan plan{.task = "reviews", .steps = 400};
  plan.changes = {{"n_layer", "12"}, {"n_embd", "32"}, {"n_inner", "64"}, {"norm_placement", "post"}};
  plan.two = true;
  return plan;
}

TrainingPlan withAndWithoutWarmup() {
  TrainingPlan plan = deepPostNorm();
  plan.numbers = {{"warmup", "200"}, {"rate", highRate}};  // twice the recipe's warm-up
  plan.otherNumbers = {{"warmup", "0"}};
  return plan;
}

TrainingPlan normsBehindAndInFront() {
  TrainingPlan plan = deepPostNorm();
  plan.numbers = {{"warmup", "0"}, {"rate", highRate}};
  plan.otherChanges = {{"norm_placement", "pre"}};
  return plan;
}

// Small enough to be read whole, and through within seconds.
TrainingPlan tiedAndUntied() {
  TrainingPlan plan{.task = "letters"};
  plan.changes = {{"tie_word_embeddings", "yes"}};
  plan.two = true;
  plan.otherChanges = {{"tie_word_embeddings", "no"}};
  return plan;
}

// The verdicts are the last tokens that reviews have, from “negative” on.
TrainingPlan classesOffLastAndMean() {
  TrainingPlan plan{.task = "reviews"};
  plan.changes = {{"num_labels", "2"}, {"first_label_token", "32"}};
  plan.two = true;
  plan.otherChanges = {{"pooling", "mean"}};
  return plan;
}

// So few blocks that both learn: what differs is what lies around.
TrainingPlan landscapesOfResiduals() {
  TrainingPlan plan{.task = "reviews", .steps = 600};
  plan.changes = {{"n_layer", "3"}, {"n_embd", "32"}, {"n_inner", "64"}};
  plan.two = true;
  plan.otherChanges = {{"residual", "no"}};
  return plan;
}

constexpr std::array presets{
    TrainingPreset{"post-norm: warmup or not", "Deep post-norm model: learns with warmup, fails without",
                   withAndWithoutWarmup},
    TrainingPreset{"no warmup: post- or pre-norm",
                   "Deep model without warmup: post-norm fails, pre-norm learns", normsBehindAndInFront},
    TrainingPreset{"tied or untied embeddings", "Tied and untied embeddings: both learn the task",
                   tiedAndUntied},
    TrainingPreset{"classifier: last token or mean",
                   "Classification head on the last token or on the mean: both learn", classesOffLastAndMean},
    TrainingPreset{"landscapes with residuals or not",
                   "Both learn the task; without residual connections the loss landscape is steeper",
                   landscapesOfResiduals, "landscape"},
};

}  // namespace

std::span<const TrainingPreset> trainingPresets() { return presets; }

int presetOf(const TrainingPlan& plan) {
  const auto found = std::ranges::find_if(presets, [&](const TrainingPreset& p) { return p.plan() == plan; });
  return found == presets.end() ? -1 : static_cast<int>(found - presets.begin());
}

}  // namespace glassformer
