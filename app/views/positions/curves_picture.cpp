#include "app/views/positions/curves_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "app/views/positions/pair_strip.h"

namespace glassformer {

namespace {

constexpr float curvesTitleHeight = 20, curvesMostRow = 220;

TensorRef curveOf(const EncodingTable& table, int dimension) {
  return {table.tensor, {0, dimension}, -1, 0, -1, -1};
}

// A row with the two dimensions of a pair.
Box addPair(PositionsPicture& picture, Box row, int pair, Range range) {
  const EncodingTable& table = encodingTable(picture.settings.table);
  row.takeLeft(tickWidth), row.takeRight(scaleStrip);
  const Box title = row.takeTop(curvesTitleHeight);
  row.takeBottom(8);
  const Target& hover = picture.input.hover;
  Plot plot{row, range, {}, hover.token != Target::none ? hover.token : hover.query};
  for (const int odd : {0, 1}) {
    const int d = odd == 0 ? picture.hands.sine(pair) : picture.hands.cosine(pair);
    plot.lines.push_back(
        {curveOf(table, d), headColor(odd, picture.theme.dark), 2, "dimension " + std::to_string(d)});
  }
  addText(picture.scene, {title.x, title.y + 8}, pairName(picture, pair), picture.theme.strong());
  addLegend(picture.scene, picture.input, title, plot.lines, Align::End);
  HitRegion& hit =
      addPlot(picture.scene, picture.input, plot, "pair " + std::to_string(pair),
              [names = picture.positionNames()](int t) { return names[static_cast<std::size_t>(t)]; });
  hit.target.dimension = picture.hands.sine(pair);
  hit.columnAxis = Axis::Token;
  hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
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
  for (std::size_t i = 0; i < pairs.size(); ++i) last = addPair(picture, rows[i], pairs[i], range);
  // Positions are numbered once, below the last plot.
  addNumbers(picture, last, Side::Bottom, picture.context, 48,
             [&](int i) { return picture.input.hover.touches(i); });
}

}  // namespace glassformer
