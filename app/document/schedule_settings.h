#pragma once
#include <algorithm>

#include "app/document/chosen_number.h"

namespace glassformer {

/// What ViewSettings::choices says of the curves of 2017's schedule: over how many steps they are drawn.
inline constexpr const char* scheduleStepsChoice = "training.schedule_steps";
inline constexpr int usualScheduleSteps = 20000;

inline int chosenScheduleSteps(const ViewSettings& settings) {
  return std::clamp(chosenNumber(settings, scheduleStepsChoice, usualScheduleSteps), 10, 10'000'000);
}

}  // namespace glassformer
