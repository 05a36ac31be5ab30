#include "app/views/attention/two_heads_picture.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"
#include "app/views/attention/head_grid.h"
#include "app/views/attention/plane_matrix.h"
#include "app/views/attention/strongest_keys.h"

namespace glassformer {

namespace {

constexpr float gap = 24, twoHeadsTitleHeight = 24, legendHeight = 40;

std::vector<Choice> pairChoices(const AttentionView& view) {
  const auto choice = [&](const char* label, const char* tip, AttentionPair pair) {
    return settingChoice(label, tip, view.settings.pair == pair,
                         [=](AttentionSettings& s) { s.pair = pair; });
  };
  return {choice("Patterns", "the patterns of two heads, and the first minus the second",
                 AttentionPair::Patterns),
          choice("Moved", "what two heads really move, and the first minus the second", AttentionPair::Moved),
          choice("One head", "what a head looks at beside what it really moves", AttentionPair::OneHead)};
}

const char* quantityName(AttentionQuantity quantity) {
  if (quantity == AttentionQuantity::Moved) return "moved";
  return quantity == AttentionQuantity::Surplus ? "share moved − pattern" : "pattern";
}

std::string panelTitle(const AttentionPlane& plane) {
  if (plane.quantity == AttentionQuantity::Surplus) return quantityName(plane.quantity);
  if (plane.fold == HeadFold::Difference)
    return nameOf(plane.heads.front()) + " − " + nameOf(plane.heads.back());
  return nameOf(plane.heads.front()) + " · " + quantityName(plane.quantity);
}

// A level colour scale with the ends of its range, below a panel.
void addLevelScale(AttentionView& view, Box box, const Coloring& scale) {
  const Box strip{box.x, box.y, box.width, 8};
  view.scene.add(ColorScale{strip, scale.map, false});
  view.scene.add(Rect{strip, {0, 0, 0, 0}, view.theme.line, 0, 1});
  addText(view.scene, {strip.x, strip.bottom() + 12}, formattedShort(scale.range.low),
          view.theme.quietMono());
  addText(view.scene, {strip.right(), strip.bottom() + 12}, formattedShort(scale.range.high),
          view.theme.quietMono(), Align::End);
}

void addPanel(AttentionView& view, const PlaneMatrix& matrix) {
  const Box& box = matrix.box;
  addText(view.scene, {box.x, box.y - matrix.depth - twoHeadsTitleHeight / 2}, panelTitle(matrix.plane),
          view.theme.strong())
      .maxWidth = box.width;
  addPlaneMatrix(view, matrix);
  if (isThere(view, matrix.plane))
    addLevelScale(view, {box.x, box.bottom() + 10, box.width, legendHeight}, matrix.scale);
}

Coloring shared(const Coloring& a, const Coloring& b) { return {a.map, unionOf(a.range, b.range)}; }

// Below the panels: the thumbnails, how to choose with them, and where the chosen query looks in either
// plane.
void addBelow(AttentionView& view, Box area, const ComparedPlanes& compared) {
  const float least = headGridTitles + 20 + 12 * static_cast<float>(blocksAt(view.config, view.site));
  if (area.height < least) {
    area.height = least;
    view.scene.size.y = std::max(view.scene.size.y, area.bottom() + 16);
  }
  Box column = area;
  column.width = std::min(area.width * 0.4f, 20 + 48 * static_cast<float>(view.config.heads));
  column.height -= 20;
  const Box grid = addHeadGrid(view, column, HeadUse::Compare, 1);
  area.takeLeft(std::max(grid.right() - area.x, 120.0f) + 24);
  const bool two = view.settings.pair != AttentionPair::OneHead;
  addText(view.scene, {area.x, area.y + 8},
          two ? "Click a head for the left picture, with Ctrl for the right one." : "Click a head to see it.",
          view.theme.note())
      .maxWidth = area.width;
  area.takeTop(32);
  const float half = (area.width - gap) / 2;
  if (half < 120) return;
  const auto whose = [](const AttentionPlane& plane) { return nameOf(plane.heads.front()) + ": "; };
  addStrongestKeys(view, area.takeLeft(half), {compared.left, whose(compared.left)});
  area.takeLeft(gap);
  addStrongestKeys(view, area, {compared.right, whose(compared.right)});
}

}  // namespace

void drawTwoHeadsPicture(AttentionView& view, Box area) {
  const ComparedPlanes compared = comparedPlanes(view.input.workspace, view.config);
  const bool two = view.settings.pair != AttentionPair::OneHead;
  const std::string title =
      two ? nameOf(compared.left.heads.front()) + " and " + nameOf(compared.right.heads.front())
          : titleOf(view, compared.left);
  addHeader(view, area, compared.right, title, {pairChoices(view)});
  area.takeTop(twoHeadsTitleHeight);
  const float depth = labelDepth(view, area);
  const float below =
      headGridTitles + 24 + 16 * static_cast<float>(std::min(blocksAt(view.config, view.site), 8));
  const float wide = std::max(120.0f, std::floor((area.width - depth - 2 * gap) / 3)),
              high = std::max(136.0f, std::floor(area.height - depth - legendHeight - below));
  const PlanePart part = shownPart(view.settings.window, view.queries, view.keys);
  const auto queries = static_cast<float>(part.queries), keys = static_cast<float>(part.keys);
  const float cell = std::min(high / queries, wide / keys);
  const Point side{std::max(cell * keys, 96.0f), cell * queries};
  Coloring left = scaleOf(view, compared.left), right = scaleOf(view, compared.right);
  if (two) left = right = shared(left, right);
  const float y = area.y + depth;
  const auto at = [&](int i) {
    return Box{area.x + depth + static_cast<float>(i) * (side.x + gap), y, side.x, side.y};
  };
  addPanel(view, {compared.left, at(0), depth, true, left, "left head"});
  addPanel(view, {compared.right, at(1), depth, false, right, "right head"});
  addPanel(view,
           {compared.difference, at(2), depth, false, scaleOf(view, compared.difference), "difference"});
  area.takeTop(depth + side.y + legendHeight + 8);
  addBelow(view, area, compared);
}

}  // namespace glassformer
