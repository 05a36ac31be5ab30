#include "app/document/training_commands.h"

#include "app/document/view_commands.h"
#include "app/document/workspace.h"
#include "core/train/schedule.h"

namespace glassformer::commands {

Command showStepOfRun(int step) {
  return changeSettings([step](ViewSettings& s) { s.training.at = step; });
}

Command setSchedule(int side, std::string schedule, std::string mergeKey) {
  return {[side, schedule = std::move(schedule)](Workspace& w) {
            for (int i = 0; i < static_cast<int>(w.schedules.size()); ++i)
              if (side == bothSides || side == i) w.schedules[static_cast<std::size_t>(i)] = schedule;
          },
          "changing the schedule", std::move(mergeKey)};
}

Command takeSchedule(int side, std::string schedule) {
  return {[side, schedule = std::move(schedule)](Workspace& w) {
            std::string& own = w.schedules[static_cast<std::size_t>(side)];
            if (!Schedule::parse(own)) own = schedule;
          },
          "", ""};
}

Command setPlan(TrainingPlan plan) {
  return {[plan = std::move(plan)](Workspace& w) { w.plan = plan, w.setUp.reset(); }, "", ""};
}

Command setUpRun(const TrainingPlan& before, TrainingPlan plan) {
  const std::string what = changeInWords(before, plan);
  return {[plan = std::move(plan)](Workspace& w) { w.setUp = plan; }, "setting up a run: " + what,
          "set-up: " + what};
}

}  // namespace glassformer::commands
