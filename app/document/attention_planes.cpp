#include "app/document/attention_planes.h"

#include <algorithm>

#include "app/document/steps.h"

namespace glassformer {

namespace {

bool isIn(const ModelConfig& config, HeadId head) {
  return head.layer >= 0 && head.layer < config.layers && head.head >= 0 && head.head < config.heads;
}

std::vector<HeadId> chosenHeads(const Workspace& workspace, const ModelConfig& config) {
  std::vector<HeadId> heads;
  const AttentionSite site = shownSite(workspace, config);
  for (HeadId head : workspace.settings.attention.heads) {
    if (head.site == AttentionSite::Only) head.site = ownSite(config);
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
      return AttentionQuantity::Moved;
  }
  return AttentionQuantity::Pattern;
}

AttentionPlane planeOf(AttentionQuantity quantity, HeadId head) {
  AttentionPlane plane;
  plane.quantity = quantity;
  plane.heads = {head};
  return plane;
}

void needAttention(const Workspace& workspace, const ModelConfig& config,
                   std::vector<AttentionPlane>& needed) {
  switch (workspace.settings.attention.layout) {
    case AttentionLayout::Matrix:
    case AttentionLayout::Sentence:
      needed.push_back(shownPlane(workspace, config));
      return;
    case AttentionLayout::Arcs:
      for (AttentionPlane& plane : arcPlanes(workspace, config)) needed.push_back(std::move(plane));
      return;
    case AttentionLayout::TwoHeads:
      ComparedPlanes compared = comparedPlanes(workspace, config);
      needed.insert(needed.end(), {compared.left, compared.right, compared.difference});
      return;
  }
}

}  // namespace

Stream shownStream(const Workspace& workspace, const ModelConfig& config) {
  return queriesOf(shownSite(workspace, config));
}

Stream listedStream(const Workspace& workspace, const ModelConfig& config) {
  const Comparison& comparison = workspace.comparison;
  const bool difference = comparison.isOn() && comparison.view == ComparisonView::Difference;
  return difference ? Stream::Text : shownStream(workspace, config);
}

std::vector<AttentionSite> sitesOf(const ModelConfig& config) {
  if (!config.attends()) return {};
  if (!config.reads()) return {AttentionSite::Only};
  return {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Across};
}

AttentionSite shownSite(const Workspace& workspace, const ModelConfig& config) {
  const std::vector<AttentionSite> sites = sitesOf(config);
  const bool there = std::find(sites.begin(), sites.end(), workspace.selection.site) != sites.end();
  return there ? workspace.selection.site : ownSite(config);
}

std::string blockName(int layer, AttentionSite site) {
  const char* what = site == AttentionSite::Only      ? "Block "
                     : site == AttentionSite::Encoder ? "Encoder "
                     : site == AttentionSite::Across  ? "Cross-attention "
                                                      : "Decoder ";
  return what + std::to_string(layer);
}

HeadId selectedHead(const Workspace& workspace, const ModelConfig& config) {
  const Selection& selection = workspace.selection;
  return {std::clamp(selection.layer, 0, config.layers - 1), std::clamp(selection.head, 0, config.heads - 1),
          shownSite(workspace, config)};
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
  if (isIn(config, other)) return {other.layer, other.head, selected.site};
  const int next = (selected.layer * config.heads + selected.head + 1) % (config.layers * config.heads);
  return {next / config.heads, next % config.heads, selected.site};
}

AttentionStage shownStage(const AttentionSettings& settings) {
  const bool scores = settings.stage == AttentionStage::Scores || settings.stage == AttentionStage::Masked;
  const bool oneHead = settings.layout == AttentionLayout::Matrix && settings.fold == HeadFold::One;
  return scores && !oneHead ? AttentionStage::Pattern : settings.stage;
}

AttentionPlane shownPlane(const Workspace& workspace, const ModelConfig& config) {
  const AttentionSettings& settings = workspace.settings.attention;
  const AttentionStage stage = shownStage(settings);
  AttentionPlane plane = planeOf(quantityOf(stage), selectedHead(workspace, config));
  if (settings.fold != HeadFold::One) {
    plane.fold = settings.fold;
    plane.heads = foldedHeads(workspace, config);
    if (plane.heads.size() == 1) plane.fold = HeadFold::One;
  }
  const bool shares = stage == AttentionStage::Pattern || stage == AttentionStage::Moved;
  if (settings.layout != AttentionLayout::Matrix || !shares) return plane;
  plane.normalized = settings.normalized;
  if (workspace.comparison.isOn()) return plane;  // rows stay comparable
  plane.order = settings.order;
  if (plane.order == RowOrder::Key)
    plane.key = std::max(workspace.selection.keyAt(shownSite(workspace, config)), 0);
  return plane;
}

std::vector<AttentionPlane> arcPlanes(const Workspace& workspace, const ModelConfig& config) {
  std::vector<AttentionPlane> planes;
  const AttentionQuantity quantity = quantityOf(shownStage(workspace.settings.attention));
  for (const HeadId head : drawnHeads(workspace, config))
    if (planes.size() < mostArcHeads) planes.push_back(planeOf(quantity, head));
  return planes;
}

ComparedPlanes comparedPlanes(const Workspace& workspace, const ModelConfig& config) {
  const AttentionPair pair = workspace.settings.attention.pair;
  const HeadId selected = selectedHead(workspace, config), other = otherHead(workspace, config);
  if (pair == AttentionPair::OneHead)
    return {planeOf(AttentionQuantity::Pattern, selected), planeOf(AttentionQuantity::Moved, selected),
            planeOf(AttentionQuantity::Surplus, selected)};
  const AttentionQuantity quantity =
      pair == AttentionPair::Moved ? AttentionQuantity::Moved : AttentionQuantity::Pattern;
  AttentionPlane difference = planeOf(quantity, selected);
  difference.fold = HeadFold::Difference;
  difference.heads.push_back(other);
  return {planeOf(quantity, selected), planeOf(quantity, other), difference};
}

std::vector<AttentionPlane> neededPlanes(const Workspace& workspace, const ModelConfig& config) {
  if (!config.attends()) return {};
  std::vector<AttentionPlane> needed{planeOf(AttentionQuantity::Scores, selectedHead(workspace, config))};
  const auto steps = stepsOf(config);
  const Step& step = stepCalled(workspace.step, steps);
  HeadId& measured = needed.front().heads.front();
  if (workspace.view == "step" && isMeasured(step)) measured = {step.layer, measured.head, step.site};
  if (workspace.view == "attention") needAttention(workspace, config, needed);
  return needed;
}

}  // namespace glassformer
