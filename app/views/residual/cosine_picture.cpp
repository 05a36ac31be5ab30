#include "app/views/residual/cosine_picture.h"

#include <algorithm>

#include "app/drawing/place_names.h"

namespace glassformer {

namespace {

constexpr float cosineTitleHeight = 32, cosineGap = 24;

void addTitle(ResidualView& view, const Box& box, const std::string& words) {
  addText(view.scene, {box.x, box.y + 10}, words, view.theme.strong()).maxWidth = box.width;
}

// Places of the selected token down and across.
void addPlaceMatrix(ResidualView& view, const Box& box, const TensorRef& cosines, const Coloring& scale) {
  Matrix matrix;
  matrix.box = box;
  matrix.values = cosines;
  matrix.map = scale.map, matrix.range = scale.range;
  view.scene.add(matrix);
  view.scene.add(Rect{box, {0, 0, 0, 0}, view.theme.line, 0, 1});
  const auto none = [](int) { return false; };
  const auto label = [&](int place) { return placeLabel(view.config, place); };
  addLabels(view.scene, view.input,
            {box, Side::Left, view.places, 64, label, none, FontFace::Ui, Theme::small - 1});
  HitRegion hit;
  hit.box = box;
  hit.target.cell = matrix.values;
  hit.target.token = view.shown, hit.target.tokens = view.stream;
  hit.rows = hit.columns = view.places;
  hit.say = [label = view.quoted(view.shown), config = view.config](const Target& target) {
    return label + " " + placeName(config, target.cell.index[1]) + " and " +
           placeName(config, target.cell.index[2]);
  };
  hit.name = "cosines of a token";
  view.scene.hits.push_back(std::move(hit));
}

std::function<std::string(const Target&)> sayFinal(const ResidualView& view) {
  std::vector<std::string> labels;
  for (int i = 0; i < view.count; ++i) labels.push_back(view.label(i));
  return [labels, config = view.config](const Target& target) {
    return "“" + labels[static_cast<std::size_t>(target.token)] + "” " +
           placeName(config, target.cell.index[1]) + ", compared with its final state";
  };
}

}  // namespace

void drawCosinePicture(ResidualView& view, Box area) {
  addResidualHeader(view, area, "in which direction states point: 1 is the same one, 0 at right angles");
  const std::string cosines = view.tensor("residual_cosine");
  if (!view.isThere(cosines)) return addWaiting(view, area);
  const int last = view.places - 1;
  const TensorRef ofToken{cosines, {view.shown, 0, 0}, 1, 2, -1, -1},
      withFinal{cosines, {0, 0, last}, 0, 1, -1, -1};
  const Coloring scale = coloring(view.input, {ofToken, withFinal}, {ColorMap::Diverging, {-1, 1}});

  const float depth = tokenDepth(view, area);
  Box left = area.takeLeft((area.width - cosineGap) / 2);
  area.takeLeft(cosineGap);
  addTitle(view, left.takeTop(cosineTitleHeight), view.quoted(view.shown) + " at any two places");
  addTitle(view, area.takeTop(cosineTitleHeight), "Every token with its final state");
  left.takeLeft(64), area.takeLeft(depth), area.takeRight(scaleWidth);
  const float below = axisHeight(view, std::min(left.width, area.width));
  left.width = left.height = std::min(left.width, left.height - below);
  area.height = std::min(left.height, 32.0f * static_cast<float>(view.count));
  addPlaceMatrix(view, left, ofToken, scale);
  addPlaces(view, {left.x, left.bottom(), left.width, axisHeight(view, left.width)});
  addTokenHeatmap(view, {area, withFinal, scale, depth, "cosines with the final state", sayFinal(view)});
  addPlaces(view, {area.x, area.bottom(), area.width, axisHeight(view, area.width)});
}

}  // namespace glassformer
