#include "app/views/positions/phasors_layout.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/views/positions/pair_strip.h"

namespace glassformer {

namespace {

constexpr float phasorsMostRow = 200, phasorsTitleHeight = 20, room = 26;

TensorRef phasorOf(const EncodingTable& table, int pair, int t) {
  return {table.tensor, {t, 2 * pair}, -1, 1, -1, 2};
}

// The unit circle with the arrow of the chosen position, and that of the one under the pointer.
void addDial(PositionsView& view, const Box& box, int pair) {
  const EncodingTable& table = encodingTable(view.settings.table);
  const float radius = std::min(box.width, box.height) / 2 - 2;
  const Point c = box.center();
  view.scene.add(Rect{
      {c.x - radius, c.y - radius, 2 * radius, 2 * radius}, view.theme.panel, view.theme.line, radius, 1});
  view.scene.add(Line{{{c.x - radius, c.y}, {c.x + radius, c.y}}, view.theme.line, 1, false});
  view.scene.add(Line{{{c.x, c.y - radius}, {c.x, c.y + radius}}, view.theme.line, 1, false});
  for (const int t : {view.input.hover.token, view.input.hover.query})
    if (t >= 0 && t < view.context && t != view.position)
      view.scene.add(Phasor{c, radius, phasorOf(table, pair, t), view.theme.text, 1.5f});
  view.scene.add(Phasor{c, radius, phasorOf(table, pair, view.position), view.theme.accent, 2.5f});
}

// Arrows of as many positions as find room, each where its position is.
void addStrip(PositionsView& view, const Box& box, int pair) {
  const EncodingTable& table = encodingTable(view.settings.table);
  const float step = box.width / static_cast<float>(view.context);
  int every = 1;
  while (step * static_cast<float>(every) < room) every *= 2;
  const float radius = std::min(step * static_cast<float>(every) * 0.45f, box.height * 0.45f);
  for (int t = 0; t < view.context; t += every) {
    const Point c{box.cell(0, t, 1, view.context).center().x, box.center().y};
    view.scene.add(Phasor{c, radius, phasorOf(table, pair, t), view.theme.attention, 1.5f});
  }
  HitRegion hit;
  hit.box = box;
  hit.target.cell = {table.tensor, {0, 2 * pair}, -1, 0, -1, -1};
  hit.target.dimension = 2 * pair;
  hit.columns = view.context;
  hit.columnAxis = Axis::Token;
  hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
  hit.say = [names = view.positionNames(), sources = view.scene.sources, table = table.tensor,
             pair](const Target& target) {
    const auto sine = valueOf(sources, {table, {target.token, 2 * pair}}),
               cosine = valueOf(sources, {table, {target.token, 2 * pair + 1}});
    const double turn = sine && cosine ? std::atan2(*sine, *cosine) * 180 / 3.14159265358979 : 0;
    return names[static_cast<std::size_t>(target.token)] + "\n" + pairName(pair) + ": " +
           std::to_string(std::lround(turn)) + "°";
  };
  hit.name = "phasors " + std::to_string(pair);
  view.scene.hits.push_back(std::move(hit));
}

}  // namespace

void drawPhasorsLayout(PositionsView& view, Box area) {
  addPositionsHeader(view, area,
                     "a pair of dimensions, read as sine and cosine, is an arrow that turns with position",
                     {tableChoices(view)});
  const std::vector<int> pairs = addPairStrip(view, area);
  const float least = 64 * static_cast<float>(pairs.size()) + tickHeight;
  if (area.height < least) view.scene.size.y += least - area.height, area.height = least;
  const Box axis = area.takeBottom(tickHeight);
  Box strip;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Box row = pairRows(area, pairs.size(), phasorsMostRow)[i];
    row.takeLeft(tickWidth), row.takeRight(scaleStrip);
    const Box title = row.takeTop(phasorsTitleHeight);
    addText(view.scene, {title.x, title.y + 8}, pairName(pairs[i]), view.theme.strong());
    row.takeBottom(8);
    addDial(view, row.takeLeft(row.height), pairs[i]);
    row.takeLeft(16);
    strip = row;
    addStrip(view, row, pairs[i]);
  }
  const auto strong = [&](int i) { return i == view.position || view.input.hover.touches(i); };
  addNumbers(view, strip, Side::Bottom, view.context, axis.height + 24, strong);
}

}  // namespace glassformer
