#pragma once
#include <memory>
#include <vector>

#include "app/document/attention_planes.h"
#include "app/engine/need.h"
#include "core/lens/prediction.h"

namespace glassformer {

struct Workspace;

bool isNeeded(const Need& need, Needs needs);

/// The selected position of a trace's text, or its last one.
int selectedPosition(const Workspace& workspace, const Trace& trace);
/// The selected position of a pass's text, or of its source; see positionAmong().
int askedPosition(const MeasuredPass& pass, Stream stream);

/// Whose logit the residual view takes apart: the chosen entry inside the vocabulary, else the model's own
/// answer at the selected position; −1: a trace from elsewhere has no logits.
int attributedEntry(const Workspace& workspace, const Trace& trace, const ModelConfig& config);

/// Whose logit the influence view asks about: of the chosen entry, else of the model's own answer, at the
/// selected position.
Prediction predictionAsked(const Workspace& workspace, const Trace& trace, const ModelConfig& config);

/// Measures what planes show, one after the other; begun by name. Nothing where nothing attends.
void measurePlanes(const std::vector<AttentionPlane>& planes, const MeasuredPass& pass, const StartJob& begin,
                   TensorSet& set);

/// What is measured on a pass: what every picture reads, and what is needed besides. The longest ones are
/// begun by name; one that is stopped is left out.
std::shared_ptr<const TensorSet> measurementsFor(Needs needs, const MeasuredPass& pass,
                                                 const StartJob& begin);

/// What is measured on both passes of a difference, added to their differences.
void addMeasuredOnBoth(Needs needs, const ComparedPasses& passes, TensorSet& set);

/// What is measured on the model alone: `all` of the time, and what is needed besides.
std::shared_ptr<const TensorSet> modelMeasurementsFor(Needs needs, const Workspace& workspace,
                                                      const ModelConfig& config,
                                                      const std::shared_ptr<const TensorSet>& all);

/// True where what is measured for two workspaces at once is the same, with all else equal.
bool sameMeasurements(Needs a, const ViewSettings& ofA, Needs b, const ViewSettings& ofB);

}  // namespace glassformer
