#include "app/views/training/optimizer_picture.h"

#include <array>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/document/watched_weight.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float optimizerTitleHeight = 28, optimizerGap = 24, optimizerScaleWidth = 72;

struct Moment {
  const char *tensor, *title, *name;
  ColorMap map;
};
constexpr std::array moments{
    Moment{"training.weight", "Weight w", "weight", ColorMap::Diverging},
    Moment{"training.gradient", "Gradient g of the last batch", "gradient", ColorMap::Diverging},
    Moment{"training.first_moment", "First moment m, its mean", "first moment", ColorMap::Diverging},
    Moment{"training.second_moment", "Second moment v, its mean square", "second moment",
           ColorMap::Sequential},
};

// Δw = −η (m̂ / (√v̂ + ε)), with the numbers of a cell filled in.
std::string equationAt(const TensorSources& sources, const std::array<int, maxRank>& index, float rate,
                       const std::string& weight) {
  const auto at = [&](const char* tensor) {
    return valueOf(sources, {tensor, {index[0], index[1]}}).value_or(0);
  };
  return weight + " [" + std::to_string(index[0]) + ", " + std::to_string(index[1]) +
         "]\nw = " + formatted(at("training.weight")) + ", g = " + formatted(at("training.gradient")) +
         (sources.contains("training.second_moment")
              ? "\nΔw ≈ −η m / √v = −" + formatted(rate) + " · " + formatted(at("training.first_moment")) +
                    " / √" + formatted(at("training.second_moment"))
              : "\nΔw = −η m = −" + formatted(rate) + " · " + formatted(at("training.first_moment")));
}

void addMoment(TrainingPicture& picture, Box box, const Moment& moment, const std::string& weight) {
  const Box title = box.takeTop(optimizerTitleHeight);
  addText(picture.scene, {title.x, title.y + 10}, moment.title, picture.theme.strong()).maxWidth =
      title.width;
  const Box scale = box.takeRight(optimizerScaleWidth);
  if (!picture.isThere(moment.tensor)) {
    const bool over = picture.input.snapshot.training->optimizerStep != picture.run.step ||
                      picture.run.state == RunReport::State::Finished;
    picture.scene.add(Rect{box, {0, 0, 0, 0}, picture.theme.line});
    const bool isLeftOut = picture.side.recipe.options.optimizer == OptimizerKind::Sgd &&
                           moment.tensor == std::string_view("training.second_moment");
    addText(picture.scene, box.center(),
            isLeftOut ? "SGD has none"
            : over    ? "not saved with the run"
                      : "known after the next step",
            picture.theme.note(), Align::Middle)
        .maxWidth = box.width;
    return;
  }
  const TensorView cells = *picture.scene.sources.find(moment.tensor);
  const TensorRef ref{moment.tensor, {}, 0, 1, cells.extent[0], cells.extent[1]};
  const Range found = glassformer::rangeOf(picture.scene.sources, ref);
  const float most = std::max(std::abs(found.low), std::abs(found.high));
  const float end = std::isfinite(most) && most > 0 ? roundedUp(most) : 1;
  const Range range = moment.map == ColorMap::Diverging ? Range{-end, end} : Range{0, end};
  picture.scene.add(Matrix{box, ref, moment.map, range});
  picture.scene.add(Rect{box, {0, 0, 0, 0}, picture.theme.line});
  addColorScale(picture.scene, picture.input, {scale.x + 16, scale.y, optimizerScaleWidth - 16, scale.height},
                moment.map, range);
  HitRegion& hit = addHitRegion(picture.scene, box, ref, moment.name);
  hit.rows = cells.extent[0], hit.columns = cells.extent[1];
  hit.say = [sources = picture.scene.sources,
             rate = picture.side.schedule.rate(std::max(1, picture.input.snapshot.training->optimizerStep)),
             weight](const Target& target) { return equationAt(sources, target.cell.index, rate, weight); };
}

}  // namespace

void drawOptimizerPicture(TrainingPicture& picture, Box area) {
  const Workspace& workspace = picture.input.workspace;
  const std::string watched = watchedWeight(workspace, picture.side.config);
  std::vector<Choice> choices;
  const std::vector<WeightName> weights = weightsToWatch(workspace, picture.side.config);
  for (const WeightName& each : weights)
    choices.push_back(
        {each.label.c_str(), "inputs down, outputs to the right", each.weight == watched,
         commands::changeSettings([name = each.weight](ViewSettings& s) { s.training.weight = name; })});
  const int shown = picture.input.snapshot.training->step,
            step = picture.input.snapshot.training->optimizerStep;
  const std::string why =
      step == shown ? "" : ", the last up to step " + std::to_string(shown) + " with saved moments";
  addTrainingHeader(picture, area,
                    step < 0 ? "no moments are saved up to step " + std::to_string(shown)
                             : "after step " + std::to_string(step) + why + "; ↑ ↓ choose the block");
  const Box line = area.takeTop(Theme::control + 8);
  addChoices(picture.scene, picture.input,
             {std::min(line.right(), line.x + widthOf(picture.input, choices)), line.y}, choices);
  if (!picture.isThere("training.first_moment")) {
    addText(picture.scene, area.center(), step < 0 ? "A later step has them." : waitingWords(picture.input),
            picture.theme.note(), Align::Middle);
    return;
  }
  const float width = (area.width - optimizerGap) / 2, height = (area.height - optimizerGap) / 2;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const std::size_t row = i / 2, column = i % 2;
    addMoment(picture,
              {area.x + static_cast<float>(column) * (width + optimizerGap),
               area.y + static_cast<float>(row) * (height + optimizerGap), width, height},
              moments[i], watched);
  }
}

}  // namespace glassformer
