#include "app/views/attention/matrix_picture.h"
#include "app/document/switches.h"
#include "app/drawing/view_header.h"
#include "app/views/attention/all_heads_picture.h"
#include "app/views/attention/cell_symbols.h"
#include "app/views/attention/head_grid.h"
#include "app/views/attention/mask_painting.h"
#include "app/views/attention/pair_painting.h"
#include "app/views/attention/plane_matrix.h"
#include "app/views/attention/strongest_keys.h"

namespace glassformer {

namespace {

constexpr float largestPatternCell = 96, leastRowWords = 40;
// Of the colour scale with the room around it.
float matrixScaleWidth(const AttentionPicture& picture) {
  if (!picture.input.shows(BesidePicture::Scale)) return 24;
  return picture.input.isPresented() ? 88 : 96;
}

bool hasShares(const AttentionPlane& plane) {
  return plane.quantity == AttentionQuantity::Pattern || plane.quantity == AttentionQuantity::ValueWeighted;
}

// Scores, and what the mask leaves of them, exist for one head alone.
std::vector<Choice> matrixStages(const AttentionPicture& picture) {
  AttentionStage shown = stageInMatrix(picture.settings);
  if (shown == AttentionStage::Masked && !picture.isMasked()) shown = AttentionStage::Scores;  // the same
  std::vector<Choice> choices;
  if (picture.settings.fold == HeadFold::One) {
    choices.push_back(stageChoice("Scores", "q · kᵀ / √K before the mask", AttentionStage::Scores, shown));
    if (picture.isMasked())
      choices.push_back(
          stageChoice("Masked scores", "Scores with −∞ at masked keys", AttentionStage::Masked, shown));
  }
  const std::vector<Choice> always = stageChoices(shown);
  choices.insert(choices.end(), always.begin(), always.end());
  return choices;
}

// How the rows are listed, and what stands in the cells: a second row of choices, only where asked for.
void addMoreChoices(AttentionPicture& picture, const AttentionPlane& plane, Box row) {
  std::vector<std::vector<Choice>> groups;
  const auto add = [&](const std::vector<Choice>& choices) { groups.insert(groups.begin(), choices); };
  const auto draw = [&] { return addChoiceGroups(picture.scene, picture.input, row, groups); };
  if (const std::vector<Choice> symbols = symbolChoice(picture, plane); !symbols.empty()) add(symbols);
  if (!hasShares(plane)) return void(draw());
  if (plane.fold == HeadFold::One) {
    const HeadId head = plane.heads.front();
    add({{"Hard attention", "All weight of this head on its largest score (argmax)",
          isHard(picture.input.workspace.interventions, head), commands::toggleArgmax(head)}});
  }
  const auto order = [&](const char* label, const char* tip, RowOrder value) {
    return settingChoice(label, tip, picture.settings.order == value,
                         [=](AttentionSettings& s) { s.order = value; });
  };
  const bool normalized = picture.settings.normalized;
  if (!normalized && plane.quantity == AttentionQuantity::Pattern && plane.fold == HeadFold::One) {
    const bool isLogarithmic = rangeOfShares(picture).logarithmic;
    add({settingChoice("Log scale", "Logarithmic color scale", isLogarithmic, [=](AttentionSettings& s) {
      s.scale = isLogarithmic ? ShareScale::Linear : ShareScale::Logarithmic;
    })});
  }
  add({settingChoice("Normalize rows", "Each row divided by its maximum", normalized,
                     [=](AttentionSettings& s) { s.normalized = !normalized; })});
  if (picture.input.workspace.comparison.isOn()) return void(draw());
  add({order("Text order", "Rows in the order of the text", RowOrder::Text),
       order("Peaked first", "Rows with the largest weight first", RowOrder::Focus),
       order("By key", "Rows with the largest weight on the selected key first", RowOrder::Key)});
  const Box first = draw();
  const int key = std::max(picture.input.workspace.selection.keyAt(picture.site), 0);
  const float room = first.x - 12 - row.x;
  if (room < leastRowWords) return;
  addText(picture.scene, {first.x - 12, first.center().y},
          picture.settings.order == RowOrder::Key ? "Rows by " + picture.quotedKey(key) : "Rows",
          picture.theme.note(), Align::End)
      .maxWidth = room;
}

void addLegend(AttentionPicture& picture, const PlaneMatrix& matrix) {
  if (!picture.input.shows(BesidePicture::Scale)) return;
  const Box scale{matrix.box.right() + 16, matrix.box.y, matrixScaleWidth(picture),
                  std::clamp(matrix.box.height - 56, 40.0f, 200.0f)};
  if (isThere(picture, matrix.plane))
    addColorScale(picture.scene, picture.input, scale, matrix.scale.map, matrix.scale.range);
  const bool saysScale = isThere(picture, matrix.plane) && matrix.scale.range.logarithmic;
  if (saysScale) addScaleWords(picture, {scale.x - 1, scale.bottom() + 14}, matrix.scale.range);
  if (matrix.plane.quantity != AttentionQuantity::Scores && picture.isMasked() && picture.keys > 1)
    addMaskedLegend(picture.scene, picture.input,
                    {scale.x - 1, scale.bottom() + (saysScale ? 32.0f : 16.0f)});
}

// What part of the text a zoomed matrix shows: a thumb along each axis, and the way back in words.
void addWindowMarks(AttentionPicture& picture, const Box& box) {
  const PlaneWindow part = shownWindow(picture.settings.window, picture.queries, picture.keys);
  if (part.queries >= picture.queries && part.keys >= picture.keys) return;
  const auto share = [](int i, int all) { return static_cast<float>(i) / static_cast<float>(all); };
  const Rgba track = picture.theme.raised, thumb = picture.theme.quiet;
  const Box right{box.right() + 4, box.y, 4, box.height}, below{box.x, box.bottom() + 4, box.width, 4};
  picture.scene.add(Rect{right, track, {0, 0, 0, 0}, 2, 1});
  picture.scene.add(Rect{below, track, {0, 0, 0, 0}, 2, 1});
  picture.scene.add(Rect{{right.x, right.y + right.height * share(part.firstQuery, picture.queries),
                          right.width, right.height * share(part.queries, picture.queries)},
                         thumb,
                         {0, 0, 0, 0},
                         2,
                         1});
  picture.scene.add(Rect{{below.x + below.width * share(part.firstKey, picture.keys), below.y,
                          below.width * share(part.keys, picture.keys), below.height},
                         thumb,
                         {0, 0, 0, 0},
                         2,
                         1});
}

// Cells are square where queries and keys are as many. A short text against a long source fills what room
// there is, within limits: else its rows would be too low for their labels.
Point cellSize(float height, float width, bool square) {
  constexpr float mostStretch = 2.5f;
  const float down = std::min(height, largestPatternCell), across = std::min(width, largestPatternCell);
  const float side = std::min(down, across);
  if (square) return {side, side};
  return {std::min(across, side * mostStretch), std::min(down, side * mostStretch)};
}

}  // namespace

void drawMatrixPicture(AttentionPicture& picture, Box area) {
  waitForNothing(picture);
  if (showsAllHeads(picture)) return drawAllHeads(picture, area);
  const AttentionPlane plane = matrixPlane(picture.input.workspace, picture.config);
  std::vector<std::vector<Choice>> choices{matrixStages(picture)};
  const bool hasMore = hasShares(plane) || !symbolChoice(picture, plane).empty(),
             more = hasMore && picture.settings.moreShown;
  if (hasMore && (more || picture.input.workspace.offersAll()))
    choices.push_back({settingChoice("…", "Sort or normalize rows; symbols instead of numbers", more,
                                     [=](AttentionSettings& s) { s.moreShown = !more; })});
  choices.push_back(paintChoice(picture));
  addHeader(picture, area, plane, titleOf(picture, plane), choices);
  if (more) addMoreChoices(picture, plane, area.takeTop(Theme::control + 8));
  addPaintingRow(picture, area);
  addPairingRow(picture, area);

  const float depth = labelDepth(picture, area), bottom = picture.input.isPresented() ? 4.0f : 10.0f,
              scaleWidth = matrixScaleWidth(picture);
  Box first = picture.input.headsFirst() ? takeColumn(picture, area) : Box{};
  const float beside = picture.input.headsFirst() ? 0 : columnWidth(picture);
  const float high = std::max(120.0f, area.height - depth - bottom),
              wide = std::max(120.0f, area.width - depth - scaleWidth - beside);
  const PlaneWindow part = shownWindow(picture.settings.window, picture.queries, picture.keys);
  const auto queries = static_cast<float>(part.queries), keys = static_cast<float>(part.keys);
  const Point cell = cellSize(high / queries, wide / keys, part.queries == part.keys);
  const PlaneMatrix matrix{plane,
                           {area.x + depth, area.y + depth, cell.x * keys, cell.y * queries},
                           depth,
                           true,
                           scaleOf(picture, plane),
                           "attention"};
  addPlaneMatrix(picture, matrix);
  addLegend(picture, matrix);
  addWindowMarks(picture, matrix.box);

  if (columnWidth(picture) == 0) return;
  Box column = area;
  column.takeLeft(depth + std::max(std::min(high, wide), matrix.box.width) + scaleWidth);
  if (picture.input.headsFirst()) column = first;
  column.takeTop(depth - headGridTitles);
  std::vector<Choice> folds = foldChoices(picture);
  folds.push_back(allHeadsChoice(picture));
  addChoices(picture.scene, picture.input, {column.right(), column.y - Theme::control - 8}, folds);
  addHeadGrid(picture, column, HeadUse::Fold, picture.input.isPresented() ? 0.55f : 0.7f);
  column.takeTop(16);
  column.takeLeft(20);
  AttentionPlane listed = inTextOrder(plane);
  if (!hasShares(plane)) listed.quantity = AttentionQuantity::Pattern;
  addStrongestKeys(picture, column, {listed});
}

}  // namespace glassformer
