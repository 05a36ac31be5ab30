#include "app/views/attention/mask_painting.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/document/mask_painting.h"

namespace glassformer {

namespace {

constexpr float wordsHeight = 24;

std::vector<int> queriesThatSeeNothing(const AttentionPicture& picture) {
  std::vector<int> blind;
  for (int query = 0; query < picture.queries; ++query) {
    bool sees = false;
    for (int key = 0; key < picture.keys && !sees; ++key) sees = picture.allows(query, key);
    if (!sees) blind.push_back(query);
  }
  return blind;
}

// "“it” sees no token: its row is 0, and attention adds nothing to it but the bias."
std::string blindWords(const AttentionPicture& picture) {
  const std::vector<int> blind = queriesThatSeeNothing(picture);
  if (blind.empty()) return "";
  if (blind.size() == 1)
    return picture.quotedQuery(blind.front()) + " sees no token: its row is 0, attention adds only its bias.";
  return std::to_string(blind.size()) + " tokens see none: their rows are 0, attention adds only its bias.";
}

// Returns where they begin.
float addPaintingChoices(AttentionPicture& picture, const Box& row) {
  const ModelConfig& loaded = *picture.input.snapshot.model->loadedConfig;
  const auto rule = [&](const char* label, const char* tip, MaskKind kind) {
    const bool on = picture.config.mask.kind == kind && picture.config.mask.painted.empty();
    return Choice{label, tip, on, commands::startMaskFrom(loaded, kind)};
  };
  const Box last = addChoices(
      picture.scene, picture.input, {row.right(), row.y},
      {{"Invert", "Swap visible and masked cells", false, commands::invertMask(loaded, picture.queries)},
       {"Clear", "Remove all edits of the mask", false, commands::clearPaintedMask(loaded)}});
  const Box first = addChoices(
      picture.scene, picture.input, {last.x - 8, row.y},
      {rule("None", "Every token attends to all tokens", MaskKind::None),
       rule("Causal", "No token attends to a later one", MaskKind::Causal),
       rule("Prefix", "All tokens attend to the first tokens; the rest is causal", MaskKind::Prefix),
       rule("Window", "Each token attends to itself and the last tokens before it", MaskKind::Window)});
  if (picture.input.isHeadedApart()) return row.right();  // with its choices above the picture
  const std::string words = "Start from";
  addText(picture.scene, {first.x - 12, first.center().y}, words, picture.theme.note(), Align::End);
  return first.x - 12 - picture.input.metrics.width(words, FontFace::Ui, Theme::small);
}

}  // namespace

std::vector<PaintedCell> cellsBetween(const Target& from, const Target& to, bool allowed) {
  const int down = to.query - from.query, across = to.key - from.key;
  const int steps = std::max(std::abs(down), std::abs(across));
  if (steps == 0) return {{to.query, to.key, allowed}};
  std::vector<PaintedCell> cells;
  for (int i = 1; i <= steps; ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(steps);
    cells.push_back({from.query + static_cast<int>(std::lround(share * static_cast<float>(down))),
                     from.key + static_cast<int>(std::lround(share * static_cast<float>(across))), allowed});
  }
  return cells;
}

bool canPaintMask(const AttentionPicture& picture) {
  const Snapshot& snapshot = picture.input.snapshot;
  if (!snapshot.model->loadedConfig || snapshot.isDifference() || picture.input.isStill()) return false;
  // Beside the changed model stands the one as it was loaded, which stays so.
  const bool asLoaded = picture.input.workspace.comparison.with == Comparison::asLoaded;
  if (asLoaded && picture.config == *snapshot.model->loadedConfig) return false;
  return picture.asking == Stream::Text && picture.lookedAt == Stream::Text;
}

bool isPaintingMask(const AttentionPicture& picture) {
  return picture.settings.painting && canPaintMask(picture);
}

std::vector<Choice> paintChoice(const AttentionPicture& picture) {
  const bool isOffered = picture.input.workspace.offersAll() || picture.settings.painting;
  if (!isOffered || !canPaintMask(picture)) return {};
  return {settingChoice("Edit mask", "Drag over cells to mask or unmask them   P", picture.settings.painting,
                        [](AttentionSettings& s) { s.painting = !s.painting, s.pairing = false; })};
}

void makePaintable(const AttentionPicture& picture, HitRegion& grid) {
  const ModelConfig loaded = *picture.input.snapshot.model->loadedConfig;
  const AttentionMask mask = picture.mask;
  const bool inOrder = grid.rowOrder.empty();
  grid.draw = [=](const Target& first, int number) -> Stroke {
    const bool allowed = !mask.allows(first.query, first.key);
    return [=, stroke = "stroke " + std::to_string(number)](const Target& from, const Target& to) {
      return commands::paintMask(loaded, cellsBetween(inOrder ? from : to, to, allowed), stroke);
    };
  };
  grid.click = [=](const Target& target) {
    const bool allowed = !mask.allows(target.query, target.key);
    return commands::paintMask(loaded, {{target.query, target.key, allowed}});
  };
  grid.pan = nullptr;
}

void addPaintedMarks(AttentionPicture& picture, const Box& box, const PlaneWindow& window) {
  constexpr float leastCell = 10;
  if (box.width / static_cast<float>(window.keys) < leastCell) return;
  for (const PaintedCell& cell : picture.config.mask.painted) {
    const int row = cell.query - window.firstQuery, column = cell.key - window.firstKey;
    if (row < 0 || row >= window.queries || column < 0 || column >= window.keys) continue;
    const Box place = box.cell(row, column, window.queries, window.keys);
    picture.scene.add(Rect{{place.x + 3, place.y + 3, 4, 4}, picture.theme.accent, {0, 0, 0, 0}, 2, 1});
  }
}

void addPaintingRow(AttentionPicture& picture, Box& area) {
  const bool paints = isPaintingMask(picture);
  const bool isMasked = picture.lookedAt == Stream::Text && !picture.config.mask.painted.empty();
  const std::string blind = isMasked && !picture.input.snapshot.isDifference() ? blindWords(picture) : "";
  if (!paints && blind.empty()) return;
  const std::string said =
      !blind.empty() ? blind : "Drag over cells to mask them, over masked cells to unmask them.";
  Box line;
  if (paints) {
    line = area.takeTop(Theme::control + 8);
    line.width = addPaintingChoices(picture, line) - line.x - 16, line.height = Theme::control;
  }
  if (line.width < picture.input.metrics.width(said, FontFace::Ui, Theme::small))  // below them
    line = area.takeTop(wordsHeight), line.height = 16;
  addText(picture.scene, {line.x, line.center().y}, said,
          {FontFace::Ui, Theme::small, blind.empty() ? picture.theme.quiet : picture.theme.text})
      .maxWidth = line.width;
}

}  // namespace glassformer
