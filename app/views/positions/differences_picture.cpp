#include "app/views/positions/differences_picture.h"

#include <algorithm>

#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"

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
  Plot plot{.box = box, .range = {0, 0}, .pointed = picture.input.hover.token};
  for (const EncodingTable& table : encodingTables()) {
    plot.lines.push_back({normOf(table, by), headColor(table.color, theme.dark), 2.5f, table.title});
    plot.range.high = std::max(plot.range.high, rangeOf(picture.scene.sources, normOf(table, by)).high);
  }
  plot.range.high = roundedUp(plot.range.high);
  addLegend(picture.scene, picture.input, {box.x, title.y, box.width, title.height}, plot.lines, Align::End);
  addPlot(picture.scene, picture.input, plot, "difference lengths",
          [names = picture.positionNames(), by = std::stoi(by)](int t) {
            return "from " + names[static_cast<std::size_t>(t)] + " to " + std::to_string(t + by);
          })
      .columnAxis = Axis::Token;
  addNumbers(picture, box, Side::Bottom, picture.context - std::stoi(by), 48,
             [&](int t) { return t == plot.pointed; });
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
