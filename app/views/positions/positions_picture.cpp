#include "app/views/positions/positions_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "app/views/positions/effect_picture.h"
#include "core/lens/distance_filter.h"
#include "core/lens/positions.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

constexpr const char* positionsTitle = "Positions";

void mark(PositionsPicture& picture, const Box& part, bool chosen) {
  addOutline(picture.scene, part, chosen ? picture.theme.accent : picture.theme.text.faded(0.6f),
             chosen ? 1.5f : 1.0f);
}

void addTableHit(PositionsPicture& picture, const Matrix& matrix, const DimensionTable& table) {
  HitRegion& hit = addHitRegion(picture.scene, matrix.box, matrix.values, table.name);
  hit.rows = table.rows, hit.columns = picture.width;
  hit.rowAxis = Axis::Token, hit.columnAxis = Axis::Dimension;
  hit.click = [](const Target& target) { return commands::selectDimension(target.dimension); };
  hit.say = [names = picture.positionNames()](const Target& target) {
    return names[static_cast<std::size_t>(target.token)] + ", dimension " + std::to_string(target.dimension);
  };
}

}  // namespace

const std::array<EncodingTable, 2>& encodingTables() {
  static const std::array<EncodingTable, 2> tables{
      EncodingTable{PositionTable::Model, "This model", "positions.model", "model positions", 0},
      EncodingTable{PositionTable::Sinusoidal, "Sinusoidal", "positions.sinusoidal", "sinusoidal positions",
                    1}};
  return tables;
}

const EncodingTable& encodingTable(PositionTable table) {
  return encodingTables()[table == PositionTable::Model ? 0 : 1];
}

std::optional<Scene> PositionsPicture::empty(const SceneInput& input) {
  if (!input.snapshot.model->config)
    return emptyScene(input, "No model loaded", input.snapshot.standing.error);
  if (input.sources().contains("positions.model")) return std::nullopt;
  if (std::optional<Scene> effect = positionEffectScene(input)) return effect;
  const PositionalEncoding::Description words = input.config().positions->description();
  return emptyScene(input, "This model adds no positions to its embeddings",
                    std::string(words.name) + ": " + std::string(words.meaning));
}

PositionsPicture::PositionsPicture(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      config(sceneInput.config()),
      settings(sceneInput.workspace.settings.positions),
      context(measuredPositions(config)),
      width(config.width),
      hands(shownHands(settings, config)),
      dimension(std::clamp(sceneInput.workspace.selection.dimension, 0, width - 1)) {
  const int chosen = input.workspace.selection.query;
  position = std::clamp(chosen < 0 ? input.tokenCount() - 1 : chosen, 0, context - 1);
  scene.size = input.pictureSize();
  scene.sources = input.sources();
}

std::string PositionsPicture::positionName(int t) const {
  // The columns of a difference are no positions.
  const std::string token = input.snapshot.isDifference() ? "" : input.label(t);
  return "position " + std::to_string(t) + (token.empty() ? "" : " · “" + token + "”");
}

std::vector<std::string> PositionsPicture::positionNames() const {
  std::vector<std::string> names;
  for (int t = 0; t < context; ++t) names.push_back(positionName(t));
  return names;
}

TensorRef phasorOf(const PositionsPicture& picture, int pair, int t) {
  const int sine = picture.hands.sine(pair), cosine = picture.hands.cosine(pair);
  return {encodingTable(picture.settings.table).tensor, {t, sine}, -1, 1, -1, cosine - sine + 1};
}

void addPositionsHeader(PositionsPicture& picture, Box& area, const std::string& about,
                        const std::vector<std::vector<Choice>>& choices) {
  std::string words = about;
  if (picture.input.isStill() && words.find(':') != std::string::npos) words.resize(words.find(':'));
  addViewHeader(picture.scene, picture.input, area, {positionsTitle, words, choices});
}

std::vector<Choice> tableChoices(const PositionsPicture& picture) {
  const auto choice = [&](const char* tip, PositionTable table) {
    return Choice{encodingTable(table).title, tip, picture.settings.table == table,
                  commands::changeSettings([=](ViewSettings& s) { s.positions.table = table; })};
  };
  return {choice("Encoding that this model adds to its embeddings", PositionTable::Model),
          choice("Sinusoids (Vaswani et al. 2017)", PositionTable::Sinusoidal)};
}

void markColumn(PositionsPicture& picture, const Box& box, int i, int count, bool chosen) {
  if (i < 0 || i >= count) return;
  const Box cell = box.cell(0, i, 1, count);
  const float width = std::max(cell.width, 3.0f);
  mark(picture, {cell.center().x - width / 2, box.y, width, box.height}, chosen);
}

void markPair(PositionsPicture& picture, const Box& box, int pair, bool chosen) {
  const int sine = picture.hands.sine(pair), cosine = picture.hands.cosine(pair);
  if (cosine != sine + 1) {
    for (const int column : {sine, cosine}) markColumn(picture, box, column, picture.width, chosen);
    return;
  }
  const float x = box.cell(0, sine, 1, picture.width).x, end = box.cell(0, cosine, 1, picture.width).right();
  mark(picture, {x, box.y, std::max(end - x, 3.0f), box.height}, chosen);
}

void markPairOfRows(PositionsPicture& picture, const Box& box, int pair, bool chosen) {
  const int sine = picture.hands.sine(pair), cosine = picture.hands.cosine(pair);
  if (cosine != sine + 1) {
    for (const int row : {sine, cosine}) markRow(picture, box, row, picture.width, chosen);
    return;
  }
  const float y = box.cell(sine, 0, picture.width, 1).y, end = box.cell(cosine, 0, picture.width, 1).bottom();
  mark(picture, {box.x, y, box.width, std::max(end - y, 3.0f)}, chosen);
}

void markRow(PositionsPicture& picture, const Box& box, int i, int count, bool chosen) {
  if (i < 0 || i >= count) return;
  const Box cell = box.cell(i, 0, count, 1);
  const float height = std::max(cell.height, 3.0f);
  mark(picture, {box.x, cell.center().y - height / 2, box.width, height}, chosen);
}

Matrix addTable(PositionsPicture& picture, const Box& box, const std::string& tensor) {
  Matrix matrix;
  matrix.box = box;
  matrix.values = {tensor, {}, 0, 1, -1, -1};
  matrix.map = ColorMap::Diverging;
  matrix.range = symmetric(rangeOf(picture.scene.sources, matrix.values));
  picture.scene.add(matrix);
  picture.scene.add(Rect{box, {0, 0, 0, 0}, picture.theme.line});
  return matrix;
}

void addDimensionTable(PositionsPicture& picture, const DimensionTable& table) {
  const Box& box = table.box;
  const Target& hover = picture.input.hover;
  const Matrix matrix = addTable(picture, box, table.tensor);
  markColumn(picture, box, picture.dimension, picture.width, true);
  if (hover.dimension != picture.dimension) markColumn(picture, box, hover.dimension, picture.width, false);
  for (const int t : {hover.query, hover.key, hover.token}) markRow(picture, box, t, table.rows, false);
  const auto pointedRow = [&](int i) { return hover.touches(i); };
  const auto pointedColumn = [&](int i) { return i == picture.dimension || i == hover.dimension; };
  addNumbers(picture, box, Side::Left, table.rows, tickWidth, pointedRow);
  addNumbers(picture, box, Side::Bottom, picture.width, tickWidth + 8, pointedColumn);
  addColorScale(picture.scene, picture.input, {box.right() + 12, box.y, 0, std::min(box.height, 180.0f)},
                matrix.map, matrix.range);
  addTableHit(picture, matrix, table);
}

void addNumbers(PositionsPicture& picture, const Box& box, Side side, int count, float depth,
                std::function<bool(int)> strong) {
  addLabels(picture.scene, picture.input,
            {.box = box,
             .side = side,
             .count = count,
             .depth = depth,
             .label = [](int i) { return std::to_string(i); },
             .strong = std::move(strong),
             .numbers = true});
}

}  // namespace glassformer
