#include "app/views/training/data_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/engine/data_sizes.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr int cutCount = static_cast<int>(dataSizes::shares.size());

struct LossOfCut {
  const char *tensor, *words;
};
constexpr std::array cutLosses{LossOfCut{dataSizes::heldOut, "validation data"},
                               LossOfCut{dataSizes::own, "training data"}};

// "1/16" over "400 sequences".
std::string cutName(int cut) {
  const int share = dataSizes::shares[static_cast<std::size_t>(cut)];
  return share == 1 ? "all" : "1/" + std::to_string(share);
}

}  // namespace

void drawDataPicture(TrainingPicture& picture, Box area) {
  const Theme& theme = picture.theme;
  const auto number = [&](const TensorRef& ref) {
    return valueOf(picture.scene.sources, ref).value_or(std::numeric_limits<float>::quiet_NaN());
  };
  const bool isThere = picture.isThere(dataSizes::heldOut);
  const std::string steps = isThere ? std::to_string(static_cast<int>(number({dataSizes::steps, {0}}))) : "";
  addTrainingHeader(picture, area,
                    isThere ? "loss against size of data: the same recipe, " + steps + " steps on each cut"
                            : "loss against size of data");
  if (!isThere) {
    addText(picture.scene, area.center(), waitingWords(picture.input), theme.note(), Align::Middle).maxWidth =
        area.width;
    return;
  }
  Plot plot;
  for (std::size_t i = 0; i < cutLosses.size(); ++i)
    plot.lines.push_back({{cutLosses[i].tensor, {}, -1, 0},
                          i == 0 ? theme.accent : theme.quiet,
                          2.5f,
                          cutLosses[i].words,
                          1,
                          true});
  addLegend(picture.scene, picture.input, area.takeTop(28), plot.lines);
  area.takeLeft(64), area.takeRight(16);
  const Box foot = area.takeBottom(48);
  float most = 0;
  for (const LossOfCut& loss : cutLosses) {
    const Range found = rangeOf(picture.scene.sources, {loss.tensor, {}, -1, 0});
    for (int cut = 0; cut < cutCount; ++cut)
      if (const float value = number({loss.tensor, {cut}}); std::isfinite(value))
        most = std::max(most, std::min(value, found.high));
  }
  plot.box = area, plot.range = {0, most > 0 ? roundedUp(1.12f * most) : 1};
  addPlotLines(picture.scene, picture.input, plot);
  for (int cut = 0; cut < cutCount; ++cut) {
    const Box column = area.cell(0, cut, 1, cutCount);
    const TensorRef sequences{dataSizes::sequences, {cut}}, loss{dataSizes::heldOut, {cut}};
    addText(picture.scene, {column.center().x, foot.y + 12}, cutName(cut), theme.strong(), Align::Middle);
    Text& text = addText(picture.scene, {column.center().x, foot.y + 32},
                         formattedCount(static_cast<std::int64_t>(number(sequences))), theme.quietMono(),
                         Align::Middle);
    text.value = sequences, text.maxWidth = column.width - 4;
    HitRegion& hit =
        addHitRegion(picture.scene, {column.x, column.y, column.width, column.height + 48}, loss,
                     "data, " + std::to_string(dataSizes::shares[static_cast<std::size_t>(cut)]));
    hit.target.text =
        cutName(cut) + " of the data: " + formattedCount(static_cast<std::int64_t>(number(sequences))) +
        " sequences" +
        (std::isfinite(number(loss)) ? "\nvalidation loss " + formatted(number(loss)) + ", on its own data " +
                                           formatted(number({dataSizes::own, {cut}}))
                                     : "\nnot trained yet");
  }
}

}  // namespace glassformer
