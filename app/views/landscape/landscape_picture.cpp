#include "app/views/landscape/landscape_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/view_commands.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "core/train/landscape.h"

namespace glassformer {

namespace {

// To two digits, away from what lies between the ends: 0.8 for 0.806, 31 for 30.2.
float rounded(float value, bool up) {
  if (!(value > 0)) return 0;
  const float digit = std::pow(10.0f, std::floor(std::log10(value)) - 1);
  return (up ? std::ceil(value / digit) : std::floor(value / digit)) * digit;
}

Coloring scaleOf(const LandscapePicture& picture) {
  const auto end = [&](int i) {
    return valueOf(picture.scene.sources, {"landscape.range", {i}}).value_or(0);
  };
  const float low = rounded(end(0), false), high = rounded(end(1), true);
  Range range{low, high > low ? high : low + 1, false};
  range.logarithmic = picture.settings.logarithmic && low > 0;
  return coloring(picture.input, {picture.losses}, {ColorMap::Sequential, range});
}

Choice choice(std::string_view label, const char* tip, bool on,
              std::function<void(LandscapeSettings&)> change) {
  return {label.data(), tip, on,
          commands::changeSettings([change = std::move(change)](ViewSettings& s) { change(s.landscape); })};
}

}  // namespace

std::optional<Scene> LandscapePicture::empty(const SceneInput& input) {
  const Snapshot& shown = input.snapshot;
  if (!shown.model->config) return emptyScene(input, "No model loaded", shown.standing.errorOr("Opening …"));
  if (!shown.kept.missing.empty()) return emptyScene(input, "No landscape yet", shown.kept.missing);
  return std::nullopt;
}

LandscapePicture::LandscapePicture(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      settings(sceneInput.workspace.settings.landscape),
      losses{"landscape.loss", {}, 0, 1} {
  scene.size = input.pictureSize();
  scene.sources = input.sources();
  values = plane(scene.sources, losses);
  if (isThere()) scale = scaleOf(*this);
}

std::optional<std::array<int, 2>> LandscapePicture::pointed() const {
  const TensorRef& cell = input.hover.cell;
  if (cell.tensor != losses.tensor || !valueOf(scene.sources, cell)) return std::nullopt;
  return std::array{cell.index[0], cell.index[1]};
}

namespace {

void addLandscapeHeader(LandscapePicture& picture, Box& area) {
  const bool logarithmic = picture.settings.logarithmic;
  SceneInput input = picture.input;
  std::vector<Choice> scales;
  if (input.snapshot.isDifference()) {
    input.pictures = {};
  } else {
    scales = {choice("Linear", "Linear scale of the loss", !logarithmic,
                     [](LandscapeSettings& l) { l.logarithmic = false; }),
              choice("Logarithmic", "Logarithmic scale of the loss", logarithmic,
                     [](LandscapeSettings& l) { l.logarithmic = true; })};
  }
  addViewHeader(picture.scene, input, area,
                {"Loss landscape", "L(θ + aδ + bη); at 1 every filter has moved by its own norm", {scales}});
}

std::vector<std::vector<Choice>> whatIsMeasured(const LandscapeSettings& s) {
  constexpr std::array reaches{"± 0.5", "± 1", "± 2"}, grids{"13²", "25²", "51²"};
  std::vector<Choice> reach, grid;
  for (std::size_t i = 0; i < reaches.size(); ++i)
    reach.push_back(choice(reaches[i], "Range of a and b, in filter norms", s.radius == landscapeRadii[i],
                           [r = landscapeRadii[i]](LandscapeSettings& l) { l.radius = r; }));
  for (std::size_t i = 0; i < grids.size(); ++i)
    grid.push_back(choice(grids[i], "Number of points measured", s.side == landscapeSides[i],
                          [n = landscapeSides[i]](LandscapeSettings& l) { l.side = n; }));
  return {{choice("Other directions", "Two other random directions", false,
                  [](LandscapeSettings& l) { ++l.seed; })},
          reach,
          grid};
}

// "81 of 625 points" while they are measured.
std::string pointsWords(const LandscapePicture& picture) {
  const auto points = [&](int i) {
    return valueOf(picture.scene.sources, {"landscape.points", {i}}).value_or(0);
  };
  return points(0) < points(1)
             ? formattedFixed(points(0), 0) + " of " + formattedFixed(points(1), 0) + " points"
             : "";
}

// "This model: 0.784 nats"; of a difference, that of the two models.
void addOwnLoss(LandscapePicture& picture, const Box& box, float right) {
  const auto own = valueOf(picture.scene.sources, picture.middle());
  if (!own || !std::isfinite(*own)) return;
  const std::string what = picture.input.snapshot.isDifference() ? "Difference: " : "This model: ";
  const std::string loss = formatted(*own), inNats = loss + " nats";
  const float width = right - box.x - 8;
  std::vector<std::string> wordings{what + inNats, inNats, loss};
  if (const std::string points = pointsWords(picture); !points.empty())
    wordings = {what + inNats + ", " + points, inNats + ", " + points, points};
  Text& text = addText(picture.scene, {box.x, box.center().y},
                       wordingFor(width, picture.input, picture.theme.plain(), std::move(wordings)),
                       picture.theme.plain());
  text.value = picture.middle();
  text.maxWidth = width;
}

void addLandscapeFooter(LandscapePicture& picture, Box& area) {
  Box row = area.takeBottom(landscapeFooter);
  row = row.takeBottom(Theme::control);
  float left = row.right();
  const auto groups = whatIsMeasured(picture.settings);
  for (auto group = groups.rbegin(); group != groups.rend(); ++group)
    left = addChoices(picture.scene, picture.input, {left, row.y}, *group).x - 8;
  if (picture.isThere() && left - row.x > 64) addOwnLoss(picture, row, left);
}

}  // namespace

bool addLandscapeFrame(LandscapePicture& picture, Box& area) {
  addLandscapeHeader(picture, area);
  addLandscapeFooter(picture, area);
  if (picture.isThere()) return true;
  addText(picture.scene, area.center(), waitingWords(picture.input), picture.theme.note(), Align::Middle);
  return false;
}

void addLandscapeScale(LandscapePicture& picture, Box& area) {
  const Range range = picture.scale.range;
  float width = 0;
  for (const float end : {range.low, range.high})
    width = std::max(width, picture.input.metrics.width(formattedShort(end), FontFace::Mono, Theme::small));
  Box column = area.takeRight(std::ceil(width) + 24);
  area.takeRight(16);
  const Box words = column.takeTop(24);
  addText(picture.scene, {words.x, words.y + 6}, "nats", picture.theme.note());
  column.takeBottom(8);
  addColorScale(picture.scene, picture.input, column, picture.scale.map, range);
}

std::function<std::string(const Target&)> landscapeWords(const LandscapePicture& picture) {
  return [sources = picture.scene.sources](const Target& target) {
    const auto step = [&](const char* tensor, int i) {
      return formattedShort(valueOf(sources, {tensor, {i}}).value_or(0));
    };
    const std::string place = "a = " + step("landscape.a", target.cell.index[1]) +
                              ", b = " + step("landscape.b", target.cell.index[0]);
    const float loss = valueOf(sources, target.cell).value_or(Landscape::unknown);
    if (loss == Landscape::unknown) return place + "\nnot measured yet";
    return std::isfinite(loss) ? place : place + "\nthe loss is not a finite number here";
  };
}

Text stepText(const LandscapePicture& picture, char direction, int i) {
  Text text;
  text.value = picture.step(direction, i);
  text.text = formattedShort(valueOf(picture.scene.sources, text.value).value_or(0));
  text.style = picture.theme.quietMono();
  text.horizontal = Align::Middle;
  return text;
}

}  // namespace glassformer
