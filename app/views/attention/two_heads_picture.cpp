#include "app/views/attention/two_heads_picture.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/views/attention/head_grid.h"
#include "app/views/attention/plane_matrix.h"
#include "app/views/attention/strongest_keys.h"

namespace glassformer {

namespace {

constexpr float gap = 24, twoHeadsTitleHeight = 24, legendHeight = 40, leastBesideThumbnails = 720,
                keysOfPresentation = 72;

std::vector<Choice> pairChoices(const AttentionPicture& picture) {
  const auto choice = [&](const char* label, const char* tip, AttentionPair pair) {
    return settingChoice(label, tip, picture.settings.pair == pair,
                         [=](AttentionSettings& s) { s.pair = pair; });
  };
  return {
      choice("Patterns", "Attention patterns of two heads, and first minus second", AttentionPair::Patterns),
      choice("Value-weighted", "Value-weighted patterns of two heads, and first minus second",
             AttentionPair::Moved),
      choice("Same head", "One head's pattern next to its value-weighted pattern, and their difference",
             AttentionPair::OneHead)};
}

// The longest wording first.
std::vector<std::string> panelTitle(const AttentionPlane& plane) {
  if (plane.quantity == AttentionQuantity::ValueWeightedExcess)
    return {"value-weighted − weight", "value − weight"};
  const std::string head = nameOf(plane.heads.front());
  if (plane.fold == HeadFold::Difference) return {head + " − " + nameOf(plane.heads.back())};
  return {head + (plane.quantity == AttentionQuantity::ValueWeighted ? " · value-weighted" : " · pattern")};
}

void addPanel(AttentionPicture& picture, const PlaneMatrix& matrix) {
  const Box& box = matrix.box;
  addText(picture.scene, {box.x, box.y - matrix.depth - twoHeadsTitleHeight / 2},
          wordingFor(box.width, picture.input, picture.theme.strong(), panelTitle(matrix.plane)),
          picture.theme.strong())
      .maxWidth = box.width;
  addPlaneMatrix(picture, matrix);
  if (!isThere(picture, matrix.plane)) return;
  const Box scale{box.x, box.bottom() + 10, box.width, levelScale};
  addLevelScale(picture.scene, picture.input, scale, matrix.scale);
  addScaleWords(picture, {scale.center().x, scale.y + 20}, matrix.scale.range, Align::Middle);
}

Coloring shared(const Coloring& a, const Coloring& b) { return {a.map, unionOf(a.range, b.range)}; }

// Where the chosen query looks in either plane.
void addKeysOfBoth(AttentionPicture& picture, Box area, const ComparedPlanes& compared) {
  const float half = (area.width - gap) / 2;
  if (half < 120) return;
  const auto whose = [](const AttentionPlane& plane) { return nameOf(plane.heads.front()) + ": "; };
  addStrongestKeys(picture, area.takeLeft(half), {compared.left, whose(compared.left)});
  area.takeLeft(gap);
  addStrongestKeys(picture, area, {compared.right, whose(compared.right)});
}

// Below the panels: the thumbnails, how to choose with them, and the keys.
void addBelow(AttentionPicture& picture, Box area, const ComparedPlanes& compared) {
  const float least = headGridTitles + 20 + 12 * static_cast<float>(blocksAt(picture.config, picture.site));
  if (area.height < least) {
    area.height = least;
    picture.scene.size.y = std::max(picture.scene.size.y, area.bottom() + 16);
  }
  Box column = area;
  column.width = std::min(area.width * 0.4f, 20 + 48 * static_cast<float>(picture.config.heads));
  column.height -= 20;
  const Box grid = addHeadGrid(picture, column, HeadUse::Compare, 1);
  area.takeLeft(std::max(grid.right() - area.x, 120.0f) + 24);
  const bool two = picture.settings.pair != AttentionPair::OneHead;
  if (!picture.input.isStill())
    addText(picture.scene, {area.x, area.y + 8},
            two ? wordingFor(area.width, picture.input, picture.theme.note(),
                             {"Click a head for the left picture, with Ctrl for the right one.",
                              "Click a head: left; with Ctrl: right."})
                : "Click a head to see it.",
            picture.theme.note())
        .maxWidth = area.width;
  area.takeTop(32);
  addKeysOfBoth(picture, area, compared);
}

}  // namespace

void drawTwoHeadsPicture(AttentionPicture& picture, Box area) {
  waitForNothing(picture);
  const ComparedPlanes compared = comparedPlanes(picture.input.workspace, picture.config);
  const bool two = picture.settings.pair != AttentionPair::OneHead;
  const std::string title =
      two ? nameOf(compared.left.heads.front()) + " and " + nameOf(compared.right.heads.front())
          : titleOf(picture, compared.left);
  addHeader(picture, area, compared.right, title, {pairChoices(picture)});
  area.takeTop(twoHeadsTitleHeight);
  const float depth = labelDepth(picture, area);
  // In a presentation the thumbnails stand beside the panels, which are taller so.
  const bool isBeside = picture.input.isPresented() && area.width > leastBesideThumbnails;
  const auto blocks = static_cast<float>(std::min(blocksAt(picture.config, picture.site), 8)),
             heads = static_cast<float>(std::min(picture.config.heads, 8));
  Box column = area.takeRight(isBeside ? 32 + 20 * heads : 0);
  const float below = isBeside ? keysOfPresentation : headGridTitles + 24 + 16 * blocks;
  const float wide = std::max(120.0f, std::floor((area.width - depth - 2 * gap) / 3)),
              high = std::max(136.0f, std::floor(area.height - depth - legendHeight - below));
  const PlaneWindow window = shownWindow(picture.settings.window, picture.queries, picture.keys);
  const auto queries = static_cast<float>(window.queries), keys = static_cast<float>(window.keys);
  const float cell = std::min(high / queries, wide / keys);
  const Point side{std::max(cell * keys, 96.0f), cell * queries};
  Coloring left = scaleOf(picture, compared.left), right = scaleOf(picture, compared.right);
  if (two) left = right = shared(left, right);
  const float y = area.y + depth;
  const auto at = [&](int i) {
    return Box{area.x + depth + static_cast<float>(i) * (side.x + gap), y, side.x, side.y};
  };
  addPanel(picture, {compared.left, at(0), depth, true, left, "left head"});
  addPanel(picture, {compared.right, at(1), depth, false, right, "right head"});
  addPanel(picture,
           {compared.difference, at(2), depth, false, scaleOf(picture, compared.difference), "difference"});
  area.takeTop(depth + side.y + legendHeight + 8);
  if (!isBeside) return addBelow(picture, area, compared);
  column.takeTop(depth - headGridTitles);
  column.takeLeft(8);
  addHeadGrid(picture, column, HeadUse::Compare, 1);
  addKeysOfBoth(picture, area, compared);
}

}  // namespace glassformer
