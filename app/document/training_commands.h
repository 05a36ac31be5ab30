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
/// Of the run that is open, or begins; what is set up is that, too.
Command setPlan(TrainingPlan plan);
/// Of the run that is set up, a step of its own for each change; quick ones of one number are one. `before`:
/// what it was.
Command setUpRun(const TrainingPlan& before, TrainingPlan plan);

}  // namespace commands
}  // namespace glassformer
