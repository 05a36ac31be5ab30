#include "app/shell/run_keeper.h"

#include "app/document/comparison_commands.h"
#include "app/document/model_commands.h"
#include "app/document/training_commands.h"
#include "app/document/training_presets.h"
#include "app/document/view_commands.h"
#include "app/document/watched_weight.h"

namespace glassformer {

void RunKeeper::start(const Workspace& workspace, const Snapshot& snapshot) {
  StartingModel start;
  if (workspace.plan.keepsModel && snapshot.model->transformer)
    start = {snapshot.model->transformer, snapshot.model->tokenizer};
  awaited_ = training_->begin(workspace.plan, std::move(start));
}

void RunKeeper::branch(const Workspace& workspace) {
  if (const auto run = training_->report())
    awaited_ = training_->branch(run->stepShown(workspace.settings.training.at));
}

namespace {

// Where a prepared pair is looked at, else what happens inside.
void openView(const TrainingPlan& plan, History& history, double seconds) {
  const int preset = presetOf(plan);
  const std::string view = preset < 0 ? "training" : trainingPresets()[static_cast<std::size_t>(preset)].view;
  history.apply(commands::setView(view), seconds);
  if (view == "training") return;
  history.apply(commands::setPlan(plan), seconds);  // there is a second run to compare with
  history.apply(commands::compareWith(Comparison::otherRun), seconds);
}

}  // namespace

// Until a run is there, the model that is open stays on screen.
std::string RunKeeper::update(History& history, double seconds) {
  if (!training_) return "";
  follow(history, seconds);
  if (awaited_.empty()) return "";
  if (training_->refused() == awaited_) {  // or cancelled: then nothing is wrong
    awaited_.clear();
    return training_->problem();
  }
  if (const auto run = training_->report(); run && run->name == awaited_) {
    history.apply(commands::setModel(awaited_), seconds);
    openView(run->plan, history, seconds);
    awaited_.clear();
  }
  return "";
}

void RunKeeper::follow(History& history, double seconds) {
  const Workspace& workspace = history.current();
  const auto run = training_->report();
  if (!run || run->name != workspace.model) return;
  if (followed_ == std::tuple(run, history.revision(), awaited_)) return;
  if (workspace.plan != run->plan && awaited_.empty()) history.apply(commands::setPlan(run->plan), seconds);
  training_->watch(watchedWeight(workspace, run->side.config));
  history.apply(commands::takeSchedule(0, run->side.schedule.description()), seconds);
  if (run->other) history.apply(commands::takeSchedule(1, run->other->schedule.description()), seconds);
  const auto& schedules = history.current().schedules;
  training_->setSchedules(run->name, {Schedule::parse(schedules[0]), Schedule::parse(schedules[1])});
  followed_ = {run, history.revision(), awaited_};
}

}  // namespace glassformer
