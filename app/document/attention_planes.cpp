#include "app/document/attention_planes.h"

#include <algorithm>

namespace glassformer {

namespace {

bool isIn(const ModelConfig& config, HeadId head) {
  return head.layer >= 0 && head.layer < blocksAt(config, head.site) && head.head >= 0 &&
         head.head < config.heads;
}

std::vector<HeadId> chosenHeads(const Workspace& workspace, const ModelConfig& config) {
  std::vector<HeadId> heads;
  const AttentionSite site = shownSite(workspace, config);
  for (HeadId head : workspace.settings.attention.heads) {
    if (head.site == AttentionSite::Self) head.site = ownSite(config);
    if (isIn(config, head) && head.site == site) heads.push_back(head);
  }
  return heads;
}

AttentionQuantity quantityOf(AttentionStage stage) {
  switch (stage) {
    case AttentionStage::Scores:
      return AttentionQuantity::Scores;
    case AttentionStage::Masked:
      return AttentionQuantity::Masked;
    case AttentionStage::Pattern:
      break;
    case AttentionStage::Moved:
      return AttentionQuantity::ValueWeighted;
  }
  return AttentionQuantity::Pattern;
}

AttentionPlane planeOf(AttentionQuantity quantity, HeadId head) {
  AttentionPlane plane;
  plane.quantity = quantity;
  plane.heads = {head};
  return plane;
}

// Of the selected head, or of several heads folded.
AttentionPlane foldedPlane(const Workspace& workspace, const ModelConfig& config, AttentionStage stage) {
  const AttentionSettings& settings = workspace.settings.attention;
  AttentionPlane plane = planeOf(quantityOf(stage), selectedHead(workspace, config));
  if (settings.fold == HeadFold::One) return plane;
  plane.fold = settings.fold;
  plane.heads = foldedHeads(workspace, config);
  if (plane.heads.size() == 1) plane.fold = HeadFold::One;
  return plane;
}

}  // namespace

Stream shownStream(const Workspace& workspace, const ModelConfig& config) {
  return queriesOf(shownSite(workspace, config));
}

Stream listedStream(const Workspace& workspace, const ModelConfig& config) {
  const Comparison& comparison = workspace.comparison;
  const bool difference = comparison.isOn() && comparison.mode == ComparisonMode::Difference;
  return difference ? Stream::Text : shownStream(workspace, config);
}

AttentionSite shownSite(const Workspace& workspace, const ModelConfig& config) {
  const std::vector<AttentionSite> sites = sitesOf(config);
  const bool there = std::find(sites.begin(), sites.end(), workspace.selection.site) != sites.end();
  return there ? workspace.selection.site : ownSite(config);
}

std::string blockName(int layer, AttentionSite site) {
  const char* what = site == AttentionSite::Self      ? "Block "
                     : site == AttentionSite::Encoder ? "Encoder "
                     : site == AttentionSite::Cross   ? "Cross-attention "
                                                      : "Decoder ";
  return what + std::to_string(layer);
}

std::string headWords(HeadId head) {
  return blockName(head.layer, head.site) + ", head " + std::to_string(head.head);
}

int keyAskedAbout(const Workspace& workspace, AttentionSite site, const TensorView& weights, int query) {
  const int chosen = workspace.selection.keyAt(site), count = weights.extent[1];
  if (chosen >= 0) return std::min(chosen, count - 1);
  const float* row = &weights(query, 0);
  return static_cast<int>(std::max_element(row, row + count) - row);
}

HeadId selectedHead(const Workspace& workspace, const ModelConfig& config) {
  const Selection& selection = workspace.selection;
  const AttentionSite site = shownSite(workspace, config);
  return {std::clamp(selection.layer, 0, blocksAt(config, site) - 1),
          std::clamp(selection.head, 0, config.heads - 1), site};
}

std::vector<HeadId> foldedHeads(const Workspace& workspace, const ModelConfig& config) {
  std::vector<HeadId> heads = chosenHeads(workspace, config);
  if (!heads.empty()) return heads;
  HeadId each = selectedHead(workspace, config);
  for (each.head = 0; each.head < config.heads; ++each.head) heads.push_back(each);
  return heads;
}

std::vector<HeadId> drawnHeads(const Workspace& workspace, const ModelConfig& config) {
  const std::vector<HeadId> heads = chosenHeads(workspace, config);
  return heads.empty() ? std::vector{selectedHead(workspace, config)} : heads;
}

HeadId otherHead(const Workspace& workspace, const ModelConfig& config) {
  HeadId other = workspace.settings.attention.other;
  const HeadId selected = selectedHead(workspace, config);
  other.site = selected.site;
  if (isIn(config, other)) return other;
  const int next =
      (selected.layer * config.heads + selected.head + 1) % (blocksAt(config, selected.site) * config.heads);
  return {next / config.heads, next % config.heads, selected.site};
}

AttentionStage stageInMatrix(const AttentionSettings& settings) {
  return settings.fold == HeadFold::One ? settings.stage : stageElsewhere(settings);
}

AttentionStage stageElsewhere(const AttentionSettings& settings) {
  return settings.stage == AttentionStage::Moved ? AttentionStage::Moved : AttentionStage::Pattern;
}

AttentionPlane matrixPlane(const Workspace& workspace, const ModelConfig& config) {
  const AttentionSettings& settings = workspace.settings.attention;
  const AttentionStage stage = stageInMatrix(settings);
  AttentionPlane plane = foldedPlane(workspace, config, stage);
  if (stage != AttentionStage::Pattern && stage != AttentionStage::Moved) return plane;
  plane.normalized = settings.normalized;
  if (workspace.comparison.isOn()) return plane;  // rows stay comparable
  plane.order = settings.order;
  if (plane.order == RowOrder::Key)
    plane.key = std::max(workspace.selection.keyAt(shownSite(workspace, config)), 0);
  return plane;
}

AttentionPlane sentencePlane(const Workspace& workspace, const ModelConfig& config) {
  return foldedPlane(workspace, config, stageElsewhere(workspace.settings.attention));
}

std::vector<AttentionPlane> arcPlanes(const Workspace& workspace, const ModelConfig& config) {
  std::vector<AttentionPlane> planes;
  const AttentionQuantity quantity = quantityOf(stageElsewhere(workspace.settings.attention));
  for (const HeadId head : drawnHeads(workspace, config))
    if (planes.size() < mostArcHeads) planes.push_back(planeOf(quantity, head));
  return planes;
}

ComparedPlanes comparedPlanes(const Workspace& workspace, const ModelConfig& config) {
  const AttentionPair pair = workspace.settings.attention.pair;
  const HeadId selected = selectedHead(workspace, config), other = otherHead(workspace, config);
  if (pair == AttentionPair::OneHead)
    return {planeOf(AttentionQuantity::Pattern, selected),
            planeOf(AttentionQuantity::ValueWeighted, selected),
            planeOf(AttentionQuantity::ValueWeightedExcess, selected)};
  const AttentionQuantity quantity =
      pair == AttentionPair::Moved ? AttentionQuantity::ValueWeighted : AttentionQuantity::Pattern;
  AttentionPlane difference = planeOf(quantity, selected);
  difference.fold = HeadFold::Difference;
  difference.heads.push_back(other);
  return {planeOf(quantity, selected), planeOf(quantity, other), difference};
}

AttentionPlane headScores(const Workspace& workspace, const ModelConfig& config) {
  return planeOf(AttentionQuantity::Scores, selectedHead(workspace, config));
}

AttentionPlane stepScores(const Workspace& workspace, const Step& step, const ModelConfig& config) {
  AttentionPlane plane = headScores(workspace, config);
  HeadId& head = plane.heads.front();
  if (step.part == StepPart::Attention) head = {step.layer, head.head, step.site};
  return plane;
}

}  // namespace glassformer
