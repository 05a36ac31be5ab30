#pragma once
#include <string>
#include <vector>

#include "app/document/steps.h"
#include "app/document/workspace.h"
#include "core/model/config.h"

namespace glassformer {

/// The attention that is shown: the chosen one, as far as the model has it.
AttentionSite shownSite(const Workspace& workspace, const ModelConfig& config);
/// Whose residual stream and tokens are shown: the text's, or the source's where its attention is.
Stream shownStream(const Workspace& workspace, const ModelConfig& config);
/// Whose tokens the tokens view lists; a difference is of texts alone.
Stream listedStream(const Workspace& workspace, const ModelConfig& config);
/// The selected head, inside the model.
HeadId selectedHead(const Workspace& workspace, const ModelConfig& config);
/// The key that a query is asked about: the chosen one, else the one it looks at most. `weights` [T, S]: of
/// its head.
int keyAskedAbout(const Workspace& workspace, AttentionSite site, const TensorView& weights, int query);
/// "Block 2", "Encoder 2", "Cross-attention 2".
std::string blockName(int layer, AttentionSite site);
/// "Block 2, head 0", of which nameOf() is the short form.
std::string headWords(HeadId head);
/// The heads that are put together: the chosen set inside the model, or all heads of the selected layer.
std::vector<HeadId> foldedHeads(const Workspace& workspace, const ModelConfig& config);
/// The heads drawn at once: the chosen set, or the selected head alone.
std::vector<HeadId> drawnHeads(const Workspace& workspace, const ModelConfig& config);
/// The head beside the selected one: the chosen one, else the next of the model; the selected one itself in a
/// model of a single head.
HeadId otherHead(const Workspace& workspace, const ModelConfig& config);

/// Scores and masked scores exist in the matrix of one head only; elsewhere the pattern stands for them.
AttentionStage stageInMatrix(const AttentionSettings& settings);
AttentionStage stageElsewhere(const AttentionSettings& settings);
/// What a picture of one plane shows: the stage of the selected head, or of several heads folded; with the
/// rows' order only in the matrix.
AttentionPlane matrixPlane(const Workspace& workspace, const ModelConfig& config);
AttentionPlane sentencePlane(const Workspace& workspace, const ModelConfig& config);
/// The most heads whose arcs can still be told apart, and found in time: a layer of a small GPT-2.
inline constexpr std::size_t mostArcHeads = 12;
/// What arcs are drawn of, one plane per head; the first ones of a set that is larger than that.
std::vector<AttentionPlane> arcPlanes(const Workspace& workspace, const ModelConfig& config);
/// Two planes to compare and what sets them apart.
struct ComparedPlanes {
  AttentionPlane left, right, difference;
};
ComparedPlanes comparedPlanes(const Workspace& workspace, const ModelConfig& config);

/// The scores of the selected head; at a step that shows scores, those of this head in the step's block.
AttentionPlane headScores(const Workspace& workspace, const ModelConfig& config);
AttentionPlane stepScores(const Workspace& workspace, const Step& step, const ModelConfig& config);

}  // namespace glassformer
