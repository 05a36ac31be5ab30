#include "app/views/positions/curves_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "app/views/positions/pair_strip.h"

namespace glassformer {

namespace {

constexpr float curvesTitleHeight = 20, curvesMostRow = 220;

int columnOf(const PositionsPicture& picture, int pair, bool isSine) {
  return isSine ? picture.hands.sine(pair) : picture.hands.cosine(pair);
}

TensorRef curveOf(const EncodingTable& table, int dimension) {
  return {table.tensor, {0, dimension}, -1, 0, -1, -1};
}

void addTitle(PositionsPicture& picture, const Box& title, int pair) {
  const Theme& theme = picture.theme;
  addText(picture.scene, {title.x, title.y + 8}, pairName(picture, pair), theme.strong());
  float x = title.right();
  for (const int odd : {1, 0}) {
    const std::string name = std::to_string(columnOf(picture, pair, odd == 0));
    const float width = picture.input.metrics.width(name, FontFace::Mono, Theme::small), y = title.y + 8;
    addText(picture.scene, {x - width, y}, name, theme.quietMono());
    picture.scene.add(
        Line{{{x - width - 26, y}, {x - width - 8, y}}, headColor(odd, theme.dark), 2.5f, false});
    x -= width + 44;
  }
}

void addHit(PositionsPicture& picture, const Box& box, const EncodingTable& table, int pair) {
  const int sine = picture.hands.sine(pair), cosine = picture.hands.cosine(pair);
  HitRegion& hit = addHitRegion(picture.scene, box, curveOf(table, sine), "pair " + std::to_string(pair));
  hit.target.dimension = sine;
  hit.columns = picture.context;
  hit.columnAxis = Axis::Token;
  hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
  hit.say = [names = picture.positionNames(), sources = picture.scene.sources, tensor = table.tensor, sine,
             cosine](const Target& target) {
    std::string words = names[static_cast<std::size_t>(target.token)];
    for (const int d : {sine, cosine})
      if (const auto value = valueOf(sources, {tensor, {target.token, d}}))
        words += "\ndimension " + std::to_string(d) + ": " + formatted(*value);
    return words;
  };
}

// A row with the two dimensions of a pair.
Box addPlot(PositionsPicture& picture, Box row, int pair, Range range) {
  const EncodingTable& table = encodingTable(picture.settings.table);
  row.takeLeft(tickWidth), row.takeRight(scaleStrip);
  addTitle(picture, row.takeTop(curvesTitleHeight), pair);
  row.takeBottom(8);
  picture.scene.add(Rect{row, picture.theme.panel, picture.theme.line, 0, 1});
  const Box box = row.inset(0, 6);
  const Target& hover = picture.input.hover;
  addValueAxis(picture, box, range, picture.context, hover.token != Target::none ? hover.token : hover.query);
  for (const int odd : {0, 1})
    picture.scene.add(Curve{box, curveOf(table, columnOf(picture, pair, odd == 0)), range,
                            headColor(odd, picture.theme.dark), 2});
  addHit(picture, row, table, pair);
  return row;
}

}  // namespace

void drawCurvesPicture(PositionsPicture& picture, Box area) {
  addPositionsHeader(picture, area, "pairs of dimensions over position: click in the strip to choose them",
                     {tableChoices(picture)});
  const std::vector<int> pairs = addPairStrip(picture, area);
  float reach = 0;
  for (const int pair : pairs)
    for (const int d : {picture.hands.sine(pair), picture.hands.cosine(pair)})
      reach = std::max(
          reach,
          symmetric(rangeOf(picture.scene.sources, curveOf(encodingTable(picture.settings.table), d))).high);
  const Range range = symmetric({0, roundedUp(reach)});
  const float least = 80 * static_cast<float>(pairs.size()) + tickHeight;
  if (area.height < least)  // a plot keeps a readable height; then the picture scrolls
    picture.scene.size.y += least - area.height, area.height = least;
  area.takeBottom(tickHeight);
  const auto rows = pairRows(area, pairs.size(), curvesMostRow);
  Box last;
  for (std::size_t i = 0; i < pairs.size(); ++i) last = addPlot(picture, rows[i], pairs[i], range);
  // Positions are numbered once, below the last plot.
  addNumbers(picture, last, Side::Bottom, picture.context, 48,
             [&](int i) { return picture.input.hover.touches(i); });
}

}  // namespace glassformer
