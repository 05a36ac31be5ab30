#pragma once
#include <string>

#include "app/document/command.h"

namespace glassformer {

struct TrainingPlan;

namespace commands {

/// Shows every view as it was after a step of the run; TrainingSettings::newest: as it is now.
Command showStepOfRun(int step);
/// The schedule of the steps that come, of the open run (side 0), the one beside it (1) or both.
inline constexpr int bothSides = -1;
Command setSchedule(int side, std::string schedule, std::string mergeKey = "");
/// The one that a side goes by, where the workspace does not say any.
Command takeSchedule(int side, std::string schedule);
Command setPlan(TrainingPlan plan);

}  // namespace commands
}  // namespace glassformer
