#pragma once
#include <memory>

#include "app/document/workspace.h"
#include "app/engine/progress.h"
#include "core/lens/prediction.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Whose logit the residual view takes apart: the chosen entry inside the vocabulary, else the model's own
/// answer at the selected position.
int attributedEntry(const Workspace& workspace, const Trace& trace, const ModelConfig& config);

/// Whose logit the influence view asks about: of the chosen entry, else of the model's own answer, at the
/// selected position.
Prediction predictionAsked(const Workspace& workspace, const Trace& trace, const ModelConfig& config);

/// What is measured on a trace for a workspace: what every view reads, and what only the open view, as it is
/// set, shows. The longest ones are begun by name; one that is stopped is left out.
std::shared_ptr<const TensorSet> measurementsFor(const Workspace& workspace, const Transformer& model,
                                                 const Trace& trace, const Begin& begin);

/// What is measured on the model alone, `all` of the time and for the open view.
std::shared_ptr<const TensorSet> modelMeasurementsFor(const Workspace& workspace, const ModelConfig& config,
                                                      const std::shared_ptr<const TensorSet>& all);

/// True where what is measured for the open views is the same, with all else equal.
bool sameMeasurements(const Workspace& a, const Workspace& b);

}  // namespace glassformer
