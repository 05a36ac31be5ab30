#pragma once
#include <span>

#include "app/document/training_plan.h"

namespace glassformer {

/// What a second run, from the same seed and on the same data, can have otherwise than the first.
struct TrainingVariant {
  const char *label, *meaning;
  const char *field, *value;  ///< of the config, or one of trainingNumbers(); empty: nothing
};
/// The first one is none, one run alone; the next whatever else the second run has otherwise.
std::span<const TrainingVariant> trainingVariants();
inline constexpr int ownNumbersVariant = 1;
/// Which of them a plan has.
int variantOf(const TrainingPlan& plan);
void setVariant(TrainingPlan& plan, int variant);

}  // namespace glassformer
