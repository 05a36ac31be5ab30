#pragma once
#include "app/document/training_plan.h"
#include "app/engine/training.h"
#include "app/panels/action.h"

namespace glassformer {

/// When actions can be done, as several groups of them need it.

inline bool hasModel(const Ui& ui) { return ui.snapshot.model->config.has_value(); }
inline bool attends(const Ui& ui) { return hasModel(ui) && ui.snapshot.model->config->hasAttention(); }
inline bool hasMlp(const Ui& ui) { return hasModel(ui) && ui.snapshot.model->config->hasFeedForward(); }
inline bool hasTrace(const Ui& ui) { return ui.snapshot.pass->hasTrace() && hasModel(ui); }
/// Whether the model, if there is one, continues texts.
inline bool writesOn(const Ui& ui) { return !hasModel(ui) || ui.snapshot.model->continues(); }
inline bool canTrain(const Ui& ui) { return ui.training != nullptr; }
/// Whether a run in training is what is open.
inline bool hasRun(const Ui& ui) {
  return canTrain(ui) && ui.snapshot.training->run && isRun(ui.workspace().model);
}

constexpr Condition withRun{hasRun, "with a training run open"};

}  // namespace glassformer
