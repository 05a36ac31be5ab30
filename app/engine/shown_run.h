#pragma once
#include <memory>

#include "app/engine/snapshot.h"

namespace glassformer {

struct Workspace;

/// The weights of a run that the workspace asks for: those after the step it shows.
StepRing::Values weightsAsked(const Workspace& workspace, const RunReport& run);

/// Whether a run goes on, and its newest weights are looked at.
bool isMoving(const Workspace& workspace, const Snapshot& snapshot);

/// How a run stands, what the optimizer had for one of its models after the step that is shown, and what the
/// newest model answers. What the optimizer had at a step of the past is copied where that is needed.
std::shared_ptr<const ShownTraining> trainingShown(const std::shared_ptr<const RunReport>& run,
                                                   const RunVariant& side, const Workspace& workspace,
                                                   bool pastOptimizer);

/// Puts that into a snapshot, and into the one beside it where two runs are compared.
void showRun(const std::shared_ptr<const RunReport>& run, const Workspace& workspace, bool pastOptimizer,
             Snapshot& snapshot);

}  // namespace glassformer
