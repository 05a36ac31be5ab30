#include "app/views/positions/curves_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "app/views/positions/pair_strip.h"

namespace glassformer {

namespace {

constexpr float curvesTitleHeight = 20, curvesMostRow = 220;

int columnOf(const PositionsView& view, int pair, bool isSine) {
  return isSine ? view.hands.sine(pair) : view.hands.cosine(pair);
}

TensorRef curveOf(const EncodingTable& table, int dimension) {
  return {table.tensor, {0, dimension}, -1, 0, -1, -1};
}

void addTitle(PositionsView& view, const Box& title, int pair) {
  const Theme& theme = view.theme;
  addText(view.scene, {title.x, title.y + 8}, pairName(view, pair), theme.strong());
  float x = title.right();
  for (const int odd : {1, 0}) {
    const std::string name = std::to_string(columnOf(view, pair, odd == 0));
    const float width = view.input.metrics.width(name, FontFace::Mono, Theme::small), y = title.y + 8;
    addText(view.scene, {x - width, y}, name, theme.quietMono());
    view.scene.add(Line{{{x - width - 26, y}, {x - width - 8, y}}, headColor(odd, theme.dark), 2.5f, false});
    x -= width + 44;
  }
}

void addHit(PositionsView& view, const Box& box, const EncodingTable& table, int pair) {
  HitRegion hit;
  hit.box = box;
  const int sine = view.hands.sine(pair), cosine = view.hands.cosine(pair);
  hit.target.cell = curveOf(table, sine);
  hit.target.dimension = sine;
  hit.columns = view.context;
  hit.columnAxis = Axis::Token;
  hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
  hit.say = [names = view.positionNames(), sources = view.scene.sources, tensor = table.tensor, sine,
             cosine](const Target& target) {
    std::string words = names[static_cast<std::size_t>(target.token)];
    for (const int d : {sine, cosine})
      if (const auto value = valueOf(sources, {tensor, {target.token, d}}))
        words += "\ndimension " + std::to_string(d) + ": " + formatted(*value);
    return words;
  };
  hit.name = "pair " + std::to_string(pair);
  view.scene.hits.push_back(std::move(hit));
}

// A row with the two dimensions of a pair.
Box addPlot(PositionsView& view, Box row, int pair, Range range) {
  const EncodingTable& table = encodingTable(view.settings.table);
  row.takeLeft(tickWidth), row.takeRight(scaleStrip);
  addTitle(view, row.takeTop(curvesTitleHeight), pair);
  row.takeBottom(8);
  view.scene.add(Rect{row, view.theme.panel, view.theme.line, 0, 1});
  const Box box = row.inset(0, 6);
  const Target& hover = view.input.hover;
  addValueAxis(view, box, range, view.context, hover.token != Target::none ? hover.token : hover.query);
  for (const int odd : {0, 1})
    view.scene.add(Curve{box, curveOf(table, columnOf(view, pair, odd == 0)), range,
                         headColor(odd, view.theme.dark), 2});
  addHit(view, row, table, pair);
  return row;
}

}  // namespace

void drawCurvesPicture(PositionsView& view, Box area) {
  addPositionsHeader(view, area, "pairs of dimensions over position: click in the strip to choose them",
                     {tableChoices(view)});
  const std::vector<int> pairs = addPairStrip(view, area);
  float reach = 0;
  for (const int pair : pairs)
    for (const int d : {view.hands.sine(pair), view.hands.cosine(pair)})
      reach = std::max(
          reach, symmetric(rangeOf(view.scene.sources, curveOf(encodingTable(view.settings.table), d))).high);
  const Range range = symmetric({0, roundedUp(reach)});
  const float least = 80 * static_cast<float>(pairs.size()) + tickHeight;
  if (area.height < least)  // a plot keeps a readable height; then the picture scrolls
    view.scene.size.y += least - area.height, area.height = least;
  area.takeBottom(tickHeight);
  const auto rows = pairRows(area, pairs.size(), curvesMostRow);
  Box last;
  for (std::size_t i = 0; i < pairs.size(); ++i) last = addPlot(view, rows[i], pairs[i], range);
  // Positions are numbered once, below the last plot.
  addNumbers(view, last, Side::Bottom, view.context, 48, [&](int i) { return view.input.hover.touches(i); });
}

}  // namespace glassformer
