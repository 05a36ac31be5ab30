#include "app/views/positions/phasors_picture.h"

#include <algorithm>

#include "app/document/selection_commands.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/views/positions/pair_strip.h"

namespace glassformer {

namespace {

constexpr float phasorsMostRow = 200, phasorsTitleHeight = 20, room = 26;

// "Dimensions 8 and 9: e^(i t / 3.16), 18.1° a position".
std::string wordsOf(const PositionsPicture& picture, int pair) {
  const std::string form = complexForm(picture, pair);
  return pairName(picture, pair) + (form.empty() ? "" : ": " + form);
}

// The unit circle with the arrow of the chosen position, and that of the one under the pointer.
void addDial(PositionsPicture& picture, const Box& box, int pair) {
  const float radius = std::min(box.width, box.height) / 2 - 2;
  const Point c = box.center();
  picture.scene.add(Rect{
      {c.x - radius, c.y - radius, 2 * radius, 2 * radius}, picture.theme.panel, picture.theme.line, radius});
  picture.scene.add(Line{{{c.x - radius, c.y}, {c.x + radius, c.y}}, picture.theme.line});
  picture.scene.add(Line{{{c.x, c.y - radius}, {c.x, c.y + radius}}, picture.theme.line});
  for (const int t : {picture.input.hover.token, picture.input.hover.query})
    if (t >= 0 && t < picture.context && t != picture.position)
      picture.scene.add(Phasor{c, radius, phasorOf(picture, pair, t), picture.theme.text, 1.5f});
  picture.scene.add(Phasor{c, radius, phasorOf(picture, pair, picture.position), picture.theme.accent, 2.5f});
}

// Arrows of as many positions as find room, each where its position is.
void addStrip(PositionsPicture& picture, const Box& box, int pair) {
  const EncodingTable& table = encodingTable(picture.settings.table);
  const float step = box.width / static_cast<float>(picture.context);
  int every = 1;
  while (step * static_cast<float>(every) < room) every *= 2;
  const float radius = std::min(step * static_cast<float>(every) * 0.45f, box.height * 0.45f);
  for (int t = 0; t < picture.context; t += every) {
    const Point c{box.cell(0, t, 1, picture.context).center().x, box.center().y};
    picture.scene.add(Phasor{c, radius, phasorOf(picture, pair, t), picture.theme.attention, 1.5f});
  }
  const int sineAt = picture.hands.sine(pair), cosineAt = picture.hands.cosine(pair);
  HitRegion& hit = addHitRegion(picture.scene, box, {table.tensor, {0, sineAt}, -1, 0, -1, -1},
                                "phasors " + std::to_string(pair));
  hit.target.dimension = sineAt;
  hit.columns = picture.context;
  hit.columnAxis = Axis::Token;
  hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
  hit.say = [names = picture.positionNames(), sources = picture.scene.sources, table = table.tensor, sineAt,
             cosineAt, words = wordsOf(picture, pair)](const Target& target) {
    const float sine = valueOf(sources, {table, {target.token, sineAt}}).value_or(0),
                cosine = valueOf(sources, {table, {target.token, cosineAt}}).value_or(0);
    return names[static_cast<std::size_t>(target.token)] + "\n" + words + "\n" + complexWords(cosine, sine) +
           ", " + angleWords(sine, cosine);
  };
}

}  // namespace

void drawPhasorsPicture(PositionsPicture& picture, Box area) {
  addPositionsHeader(picture, area, "each pair is a complex number e^(i t / rᵏ), r = N^(2/D)",
                     {tableChoices(picture)});
  const std::vector<int> pairs = addPairStrip(picture, area);
  const float least = 50 * static_cast<float>(pairs.size()) + tickHeight;
  if (area.height < least) picture.scene.size.y += least - area.height, area.height = least;
  const Box axis = area.takeBottom(tickHeight);
  Box strip;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Box row = pairRows(area, pairs.size(), phasorsMostRow)[i];
    row.takeLeft(tickWidth), row.takeRight(scaleStrip);
    const Box title = row.takeTop(phasorsTitleHeight);
    const TextStyle strong = picture.theme.strong(), quiet = picture.theme.quietMono();
    const std::string name = pairName(picture, pairs[i]), form = complexForm(picture, pairs[i]);
    const float beside = title.width - picture.input.metrics.width(name, strong.face, strong.size) - 16;
    addText(picture.scene, {title.x, title.y + 8}, name, strong);
    addText(picture.scene, {title.right(), title.y + 8},
            wordingFor(beside, picture.input, quiet, {form, form.substr(0, form.find(',')), ""}), quiet,
            Align::End);
    row.takeBottom(8);
    addDial(picture, row.takeLeft(row.height), pairs[i]);
    row.takeLeft(16);
    strip = row;
    addStrip(picture, row, pairs[i]);
  }
  const auto strong = [&](int i) { return i == picture.position || picture.input.hover.touches(i); };
  addNumbers(picture, strip, Side::Bottom, picture.context, axis.height + 24, strong);
}

}  // namespace glassformer
