#include "app/views/attention/matrix_picture.h"

#include "app/document/switches.h"
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
float matrixScaleWidth(const AttentionView& view) { return view.input.shows(BesidePicture::Scale) ? 96 : 24; }

bool hasShares(const AttentionPlane& plane) {
  return plane.quantity == AttentionQuantity::Pattern || plane.quantity == AttentionQuantity::Moved;
}

// Scores, and what the mask leaves of them, exist for one head alone.
std::vector<Choice> matrixStages(const AttentionView& view) {
  AttentionStage shown = stageInMatrix(view.settings);
  if (shown == AttentionStage::Masked && !view.isMasked()) shown = AttentionStage::Scores;  // the same
  std::vector<Choice> choices;
  if (view.settings.fold == HeadFold::One) {
    choices.push_back(
        stageChoice("Scores", "how well each query matches each key", AttentionStage::Scores, shown));
    if (view.isMasked())
      choices.push_back(stageChoice("Masked", "the scores a query may see, as the mask leaves them",
                                    AttentionStage::Masked, shown));
  }
  const std::vector<Choice> always = stageChoices(shown);
  choices.insert(choices.end(), always.begin(), always.end());
  return choices;
}

// How the rows are listed, and what stands in the cells: a second row of choices, only where asked for.
void addMoreChoices(AttentionView& view, const AttentionPlane& plane, Box row) {
  float right = row.right();
  const auto add = [&](const std::vector<Choice>& choices) {
    const Box box = addChoices(view.scene, view.input, {right, row.y}, choices);
    right = box.x - 8;
    return box;
  };
  if (const std::vector<Choice> symbols = symbolChoice(view, plane); !symbols.empty()) add(symbols);
  if (!hasShares(plane)) return;
  if (plane.fold == HeadFold::One) {
    const HeadId head = plane.heads.front();
    add({{"Argmax", "this head takes its largest weight alone, in place of a mean by all of them",
          isHard(view.input.workspace.interventions, head), commands::toggleArgmax(head)}});
  }
  const auto order = [&](const char* label, const char* tip, RowOrder value) {
    return settingChoice(label, tip, view.settings.order == value,
                         [=](AttentionSettings& s) { s.order = value; });
  };
  const bool normalized = view.settings.normalized;
  add({settingChoice("Row maximum",
                     "divide every row by its largest number, so that each shows its own peaks", normalized,
                     [=](AttentionSettings& s) { s.normalized = !normalized; })});
  if (view.input.workspace.comparison.isOn()) return;
  const Box first = add({order("In order", "rows as in the text", RowOrder::Text),
                         order("Focused first", "rows with the largest single number first", RowOrder::Focus),
                         order("By key", "rows that look most at the chosen key first", RowOrder::Key)});
  const int key = std::max(view.input.workspace.selection.keyAt(view.site), 0);
  const float room = first.x - 12 - row.x;
  if (room < leastRowWords) return;
  addText(view.scene, {first.x - 12, first.center().y},
          view.settings.order == RowOrder::Key ? "Rows by " + view.quotedKey(key) : "Rows", view.theme.note(),
          Align::End)
      .maxWidth = room;
}

void addLegend(AttentionView& view, const PlaneMatrix& matrix) {
  if (!view.input.shows(BesidePicture::Scale)) return;
  const Box scale{matrix.box.right() + 16, matrix.box.y, matrixScaleWidth(view),
                  std::clamp(matrix.box.height - 56, 40.0f, 200.0f)};
  if (isThere(view, matrix.plane))
    addColorScale(view.scene, view.input, scale, matrix.scale.map, matrix.scale.range);
  if (matrix.plane.quantity != AttentionQuantity::Scores && view.isMasked() && view.keys > 1)
    addMaskedLegend(view.scene, view.input, {scale.x - 1, scale.bottom() + 16});
}

// What part of the text a zoomed matrix shows: a thumb along each axis, and the way back in words.
void addWindowMarks(AttentionView& view, const Box& box) {
  const PlanePart part = shownPart(view.settings.window, view.queries, view.keys);
  if (part.queries >= view.queries && part.keys >= view.keys) return;
  const auto share = [](int i, int all) { return static_cast<float>(i) / static_cast<float>(all); };
  const Rgba track = view.theme.raised, thumb = view.theme.quiet;
  const Box right{box.right() + 4, box.y, 4, box.height}, below{box.x, box.bottom() + 4, box.width, 4};
  view.scene.add(Rect{right, track, {0, 0, 0, 0}, 2, 1});
  view.scene.add(Rect{below, track, {0, 0, 0, 0}, 2, 1});
  view.scene.add(Rect{{right.x, right.y + right.height * share(part.firstQuery, view.queries), right.width,
                       right.height * share(part.queries, view.queries)},
                      thumb,
                      {0, 0, 0, 0},
                      2,
                      1});
  view.scene.add(Rect{{below.x + below.width * share(part.firstKey, view.keys), below.y,
                       below.width * share(part.keys, view.keys), below.height},
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

void drawMatrixPicture(AttentionView& view, Box area) {
  const AttentionPlane plane = matrixPlane(view.input.workspace, view.config);
  std::vector<std::vector<Choice>> choices{matrixStages(view)};
  const bool hasMore = hasShares(plane) || !symbolChoice(view, plane).empty(),
             more = hasMore && view.settings.moreShown;
  if (hasMore)
    choices.push_back({settingChoice("…", "sort or normalise the rows; symbols in place of numbers", more,
                                     [=](AttentionSettings& s) { s.moreShown = !more; })});
  choices.push_back(paintChoice(view));
  addHeader(view, area, plane, titleOf(view, plane), choices);
  if (more) addMoreChoices(view, plane, area.takeTop(Theme::control + 8));
  addPaintingRow(view, area);
  addPairingRow(view, area);

  const float depth = labelDepth(view, area), bottom = 10, scaleWidth = matrixScaleWidth(view);
  Box first = view.input.headsFirst() ? takeColumn(view, area) : Box{};
  const float beside = view.input.headsFirst() ? 0 : columnWidth(view);
  const float high = std::max(120.0f, area.height - depth - bottom),
              wide = std::max(120.0f, area.width - depth - scaleWidth - beside);
  const PlanePart part = shownPart(view.settings.window, view.queries, view.keys);
  const auto queries = static_cast<float>(part.queries), keys = static_cast<float>(part.keys);
  const Point cell = cellSize(high / queries, wide / keys, part.queries == part.keys);
  const PlaneMatrix matrix{plane,
                           {area.x + depth, area.y + depth, cell.x * keys, cell.y * queries},
                           depth,
                           true,
                           scaleOf(view, plane),
                           "attention"};
  addPlaneMatrix(view, matrix);
  addLegend(view, matrix);
  addWindowMarks(view, matrix.box);

  if (columnWidth(view) == 0) return;
  Box column = area;
  column.takeLeft(depth + std::max(std::min(high, wide), matrix.box.width) + scaleWidth);
  if (view.input.headsFirst()) column = first;
  column.takeTop(depth - headGridTitles);
  addChoices(view.scene, view.input, {column.right(), column.y - Theme::control - 8}, foldChoices(view));
  addHeadGrid(view, column, HeadUse::Fold);
  column.takeTop(16);
  column.takeLeft(20);
  AttentionPlane listed = inTextOrder(plane);
  if (!hasShares(plane)) listed.quantity = AttentionQuantity::Pattern;
  addStrongestKeys(view, column, {listed});
}

}  // namespace glassformer
