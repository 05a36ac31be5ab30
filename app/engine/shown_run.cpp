#include "app/engine/shown_run.h"

#include "app/document/watched_weight.h"

namespace glassformer {

StepRing::Values weightsAsked(const Workspace& workspace, const RunReport& run) {
  return run.side.weights->at(run.stepShown(workspace.settings.training.at));
}

bool isMoving(const Workspace& workspace, const Snapshot& snapshot) {
  return isRun(workspace.model) && snapshot.run && snapshot.run->state == RunReport::State::Running &&
         workspace.settings.training.at == TrainingSettings::newest;
}

namespace {

void showOptimizer(const Workspace& workspace, bool past, Snapshot& snapshot) {
  const RunSide& side = *snapshot.runSide;
  const bool newest = snapshot.runStep == snapshot.run->step;
  if (!newest && !past) return snapshot.optimizer.reset();
  snapshot.optimizerStep = newest ? snapshot.runStep : side.stepWithMoments(snapshot.runStep);
  snapshot.optimizer = newest
                           ? side.optimizer
                           : side.optimizerAt(snapshot.optimizerStep, watchedWeight(workspace, side.config));
}

// Those of a step before are still to be asked for.
void showAnswers(Snapshot& snapshot) {
  const bool newest = snapshot.runStep == snapshot.run->step;
  snapshot.answers =
      newest ? std::shared_ptr<const std::vector<Answered>>(snapshot.run, &snapshot.runSide->answers)
             : nullptr;
}

}  // namespace

void showRun(const std::shared_ptr<const RunReport>& run, const Workspace& workspace, bool pastOptimizer,
             Snapshot& snapshot) {
  snapshot.run = run;
  snapshot.runSide = {run, &run->side};
  snapshot.runStep = run->stepShown(workspace.settings.training.at);
  showOptimizer(workspace, pastOptimizer, snapshot);
  showAnswers(snapshot);
  if (!snapshot.other || workspace.comparison.with != Comparison::otherRun || !run->other) return;
  auto other = std::make_shared<Snapshot>(*snapshot.other);
  other->run = run, other->runSide = {run, &*run->other};
  other->runStep = snapshot.runStep;
  showOptimizer(workspace, pastOptimizer, *other);
  showAnswers(*other);
  snapshot.other = std::move(other);
}

}  // namespace glassformer
