#include "app/views/positions/phasors_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "app/views/positions/pair_strip.h"

namespace glassformer {

namespace {

constexpr float phasorsMostRow = 200, phasorsTitleHeight = 20, room = 26;

// "Dimensions 8 and 9: e^(i t / 3.16), 18.1° a position".
std::string wordsOf(const PositionsView& view, int pair) {
  const std::string form = complexForm(view, pair);
  return pairName(view, pair) + (form.empty() ? "" : ": " + form);
}

// The unit circle with the arrow of the chosen position, and that of the one under the pointer.
void addDial(PositionsView& view, const Box& box, int pair) {
  const float radius = std::min(box.width, box.height) / 2 - 2;
  const Point c = box.center();
  view.scene.add(Rect{
      {c.x - radius, c.y - radius, 2 * radius, 2 * radius}, view.theme.panel, view.theme.line, radius, 1});
  view.scene.add(Line{{{c.x - radius, c.y}, {c.x + radius, c.y}}, view.theme.line, 1, false});
  view.scene.add(Line{{{c.x, c.y - radius}, {c.x, c.y + radius}}, view.theme.line, 1, false});
  for (const int t : {view.input.hover.token, view.input.hover.query})
    if (t >= 0 && t < view.context && t != view.position)
      view.scene.add(Phasor{c, radius, phasorOf(view, pair, t), view.theme.text, 1.5f});
  view.scene.add(Phasor{c, radius, phasorOf(view, pair, view.position), view.theme.accent, 2.5f});
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
    view.scene.add(Phasor{c, radius, phasorOf(view, pair, t), view.theme.attention, 1.5f});
  }
  HitRegion hit;
  hit.box = box;
  const int sineAt = view.hands.sine(pair), cosineAt = view.hands.cosine(pair);
  hit.target.cell = {table.tensor, {0, sineAt}, -1, 0, -1, -1};
  hit.target.dimension = sineAt;
  hit.columns = view.context;
  hit.columnAxis = Axis::Token;
  hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
  hit.say = [names = view.positionNames(), sources = view.scene.sources, table = table.tensor, sineAt,
             cosineAt, words = wordsOf(view, pair)](const Target& target) {
    const float sine = valueOf(sources, {table, {target.token, sineAt}}).value_or(0),
                cosine = valueOf(sources, {table, {target.token, cosineAt}}).value_or(0);
    return names[static_cast<std::size_t>(target.token)] + "\n" + words + "\n" + complexWords(cosine, sine) +
           ", " + angleWords(sine, cosine);
  };
  hit.name = "phasors " + std::to_string(pair);
  view.scene.hits.push_back(std::move(hit));
}

}  // namespace

void drawPhasorsPicture(PositionsView& view, Box area) {
  addPositionsHeader(view, area, "each pair is a complex number e^(i t / rᵏ), r = N^(2/D)",
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
    addText(view.scene, {title.x, title.y + 8}, pairName(view, pairs[i]), view.theme.strong());
    addText(view.scene, {title.right(), title.y + 8}, complexForm(view, pairs[i]), view.theme.quietMono(),
            Align::End);
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
