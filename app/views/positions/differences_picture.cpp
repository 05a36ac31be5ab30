#include "app/views/positions/differences_picture.h"

#include <algorithm>

#include "app/document/view_commands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

struct Distance {
  int value;
  const char* label;
};
constexpr Distance distances[] = {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}, {64, "64"}};

std::vector<Choice> distanceChoices(const PositionsPicture& picture) {
  const int shown = shownDistance(picture.settings, picture.context);
  std::vector<Choice> choices;
  for (const Distance& distance : distances)
    if (distance.value < picture.context)
      choices.push_back(
          {distance.label, "Distance Δ in positions", shown == distance.value,
           commands::changeSettings([d = distance.value](ViewSettings& s) { s.positions.distance = d; })});
  return choices;
}

TensorRef normOf(const EncodingTable& table, const std::string& by) {
  return {table.tensor + "_difference_norm." + by, {0}, -1, 0, -1, -1};
}

// How far both encodings move, over position.
void addNorms(PositionsPicture& picture, Box box, const std::string& by) {
  const Theme& theme = picture.theme;
  const Box title = box.takeTop(28);
  box.takeLeft(tickWidth), box.takeRight(scaleStrip), box.takeBottom(tickHeight + 8);
  addText(picture.scene, {box.x, title.y + 14}, "Length ‖p(t + " + by + ") − p(t)‖", theme.strong());
  float most = 0;
  for (const EncodingTable& table : encodingTables())
    most = std::max(most, rangeOf(picture.scene.sources, normOf(table, by)).high);
  const Range range{0, roundedUp(most)};
  const int count = plane(picture.scene.sources, normOf(encodingTables()[0], by))->extent[1];
  picture.scene.add(Rect{box, theme.panel, theme.line, 0, 1});
  const Box inner = box.inset(0, 8);
  addPositionAxes(picture, inner, range, count, picture.input.hover.token);
  float x = box.right();
  for (const EncodingTable& table : {encodingTables()[1], encodingTables()[0]}) {
    picture.scene.add(Curve{inner, normOf(table, by), range, headColor(table.color, theme.dark), 2.5f});
    const float width = picture.input.metrics.width(table.title, FontFace::Ui, Theme::small),
                y = title.y + 14;
    addText(picture.scene, {x - width, y}, table.title, theme.note());
    picture.scene.add(
        Line{{{x - width - 26, y}, {x - width - 8, y}}, headColor(table.color, theme.dark), 2.5f, false});
    x -= width + 44;
  }
  HitRegion& hit = addHitRegion(picture.scene, box, normOf(encodingTables()[0], by), "difference lengths");
  hit.columns = count;
  hit.columnAxis = Axis::Token;
  hit.say = [names = picture.positionNames(), by, sources = picture.scene.sources](const Target& target) {
    std::string words = "from " + names[static_cast<std::size_t>(target.token)] + " to " +
                        std::to_string(target.token + std::stoi(by));
    for (const EncodingTable& table : encodingTables())
      if (const auto value = valueOf(sources, {table.tensor + "_difference_norm." + by, {target.token}}))
        words += "\n" + std::string(table.title) + ": " + formatted(*value);
    return words;
  };
}

}  // namespace

void drawDifferencesPicture(PositionsPicture& picture, Box area) {
  const std::string by = std::to_string(shownDistance(picture.settings, picture.context));
  addPositionsHeader(picture, area, "p(t + Δ) − p(t) for Δ = " + by, {distanceChoices(picture)});
  if (!picture.scene.sources.contains(normOf(encodingTables()[0], by).tensor)) {
    addText(picture.scene, area.center(),
            picture.context < 2 ? std::string("The model has one position.") : waitingWords(picture.input),
            picture.theme.note(), Align::Middle);
    return;
  }
  const Box plot = area.takeBottom(std::clamp(area.height * 0.36f, 132.0f, 300.0f));
  area.takeBottom(16);
  for (int i = 0; i < 2; ++i) {
    const EncodingTable& table = encodingTables()[static_cast<std::size_t>(i)];
    const float width = (area.width - halvesGap) / 2;
    Box box{area.x + static_cast<float>(i) * (width + halvesGap), area.y, width, area.height};
    box.takeTop(28), box.takeLeft(tickWidth), box.takeRight(scaleStrip), box.takeBottom(tickHeight);
    addText(picture.scene, {box.x, box.y - 14}, table.title, picture.theme.strong());
    const std::string tensor = table.tensor + "_difference." + by;
    addDimensionTable(picture, {box, tensor, table.name, picture.scene.sources.find(tensor)->extent[0]});
  }
  addNorms(picture, plot, by);
}

}  // namespace glassformer
