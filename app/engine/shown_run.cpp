#include "app/engine/shown_run.h"

#include "app/document/watched_weight.h"

namespace glassformer {

StepRing::Values weightsAsked(const Workspace& workspace, const RunReport& run) {
  return run.side.weights->at(run.stepShown(workspace.settings.training.at));
}

bool isMoving(const Workspace& workspace, const Snapshot& snapshot) {
  const auto& run = snapshot.training->run;
  return isRun(workspace.model) && run && run->state == RunReport::State::Running &&
         workspace.settings.training.at == TrainingSettings::newest;
}

std::shared_ptr<const ShownTraining> trainingShown(const std::shared_ptr<const RunReport>& run,
                                                   const RunVariant& side, const Workspace& workspace,
                                                   bool pastOptimizer) {
  ShownTraining shown{.run = run, .side = {run, &side}};
  shown.step = run->stepShown(workspace.settings.training.at);
  if (shown.step == run->step) {
    shown.optimizer = side.optimizer, shown.optimizerStep = shown.step;
    shown.answers = {run, &side.answers};  // those of a step before are still to be asked for
  } else if (pastOptimizer) {
    shown.optimizerStep = side.stepWithMoments(shown.step);
    shown.optimizer = side.optimizerAt(shown.optimizerStep, watchedWeight(workspace, side.config));
  }
  return std::make_shared<const ShownTraining>(std::move(shown));
}

void showRun(const std::shared_ptr<const RunReport>& run, const Workspace& workspace, bool pastOptimizer,
             Snapshot& snapshot) {
  snapshot.training = trainingShown(run, run->side, workspace, pastOptimizer);
  if (snapshot.other && workspace.comparison.with == Comparison::otherRun && run->other)
    snapshot.other =
        with(*snapshot.other, &Snapshot::training, trainingShown(run, *run->other, workspace, pastOptimizer));
}

}  // namespace glassformer
