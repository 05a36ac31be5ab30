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
  const auto colorOf = [&](std::size_t i) { return i == 0 ? theme.accent : theme.quiet; };
  float x = area.x;
  const Box legend = area.takeTop(28);
  for (std::size_t i = 0; i < cutLosses.size(); ++i) {
    picture.scene.add(Line{{{x, legend.y + 12}, {x + 18, legend.y + 12}}, colorOf(i), 2.5f, false});
    addText(picture.scene, {x + 26, legend.y + 12}, cutLosses[i].words, theme.note());
    x += 26 + picture.input.metrics.width(cutLosses[i].words, FontFace::Ui, Theme::small) + 24;
  }
  area.takeLeft(64), area.takeRight(16);
  const Box foot = area.takeBottom(48);
  float most = 0;
  for (const LossOfCut& loss : cutLosses) {
    const Range found = rangeOf(picture.scene.sources, {loss.tensor, {}, -1, 0});
    for (int cut = 0; cut < cutCount; ++cut)
      if (const float value = number({loss.tensor, {cut}}); std::isfinite(value))
        most = std::max(most, std::min(value, found.high));
  }
  const Range range{0, most > 0 ? roundedUp(1.12f * most) : 1};
  picture.scene.add(Rect{area, theme.panel, theme.line, 0, 1});
  addText(picture.scene, {area.x - 8, area.y + 6}, formattedShort(range.high), theme.quietMono(), Align::End);
  addText(picture.scene, {area.x - 8, area.bottom() - 6}, "0", theme.quietMono(), Align::End);
  for (std::size_t i = cutLosses.size(); i-- > 0;) {
    const Curve curve{area, {cutLosses[i].tensor, {}, -1, 0}, range, colorOf(i), 2.5f};
    picture.scene.add(curve);
    for (int cut = 0; cut < cutCount; ++cut) {
      const TensorRef ref{cutLosses[i].tensor, {cut}};
      if (!std::isfinite(number(ref))) continue;
      const Point at = curvePoint(curve, cut, cutCount, number(ref));
      picture.scene.add(Rect{{at.x - 4, at.y - 4, 8, 8}, colorOf(i), {0, 0, 0, 0}, 4, 1});
    }
  }
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
