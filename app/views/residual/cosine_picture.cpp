#include "app/views/residual/cosine_picture.h"

#include <algorithm>

#include "app/drawing/place_names.h"

namespace glassformer {

namespace {

constexpr float cosineTitleHeight = 32, cosineGap = 24;

void addTitle(ResidualPicture& picture, const Box& box, const std::string& words) {
  addText(picture.scene, {box.x, box.y + 10}, words, picture.theme.strong()).maxWidth = box.width;
}

// Places of the selected token down and across.
void addPlaceMatrix(ResidualPicture& picture, const Box& box, const TensorRef& cosines,
                    const Coloring& scale) {
  Matrix matrix;
  matrix.box = box;
  matrix.values = cosines;
  matrix.map = scale.map, matrix.range = scale.range;
  picture.scene.add(matrix);
  picture.scene.add(Rect{box, {0, 0, 0, 0}, picture.theme.line});
  const auto none = [](int) { return false; };
  const auto label = [&](int place) { return placeLabel(picture.config, place); };
  addLabels(picture.scene, picture.input,
            {box, Side::Left, picture.places, 64, label, none, FontFace::Ui, Theme::small - 1});
  HitRegion& hit = addHitRegion(picture.scene, box, matrix.values, "cosines of a token");
  hit.target.token = picture.shown, hit.target.tokens = picture.stream;
  hit.rows = hit.columns = picture.places;
  hit.say = [label = picture.quoted(picture.shown), config = picture.config](const Target& target) {
    return label + " " + placeName(config, target.cell.index[1]) + " and " +
           placeName(config, target.cell.index[2]);
  };
}

std::function<std::string(const Target&)> sayFinal(const ResidualPicture& picture) {
  std::vector<std::string> labels;
  for (int i = 0; i < picture.count; ++i) labels.push_back(picture.label(i));
  return [labels, config = picture.config](const Target& target) {
    return "“" + labels[static_cast<std::size_t>(target.token)] + "” " +
           placeName(config, target.cell.index[1]) + ", compared with its final state";
  };
}

}  // namespace

void drawCosinePicture(ResidualPicture& picture, Box area) {
  addResidualHeader(picture, area, "Cosine of two states: 1 for the same direction, 0 for orthogonal ones");
  const std::string cosines = picture.tensor("residual_cosine");
  if (!picture.isThere(cosines)) return addWaiting(picture, area);
  const int last = picture.places - 1;
  const TensorRef ofToken{cosines, {picture.shown, 0, 0}, 1, 2, -1, -1},
      withFinal{cosines, {0, 0, last}, 0, 1, -1, -1};
  const Coloring scale = coloring(picture.input, {ofToken, withFinal}, {ColorMap::Diverging, {-1, 1}});

  const float depth = tokenDepth(picture, area);
  Box left = area.takeLeft((area.width - cosineGap) / 2);
  area.takeLeft(cosineGap);
  addTitle(picture, left.takeTop(cosineTitleHeight), picture.quoted(picture.shown) + " at any two layers");
  addTitle(picture, area.takeTop(cosineTitleHeight), "Every token with its final state");
  left.takeLeft(64), area.takeLeft(depth), area.takeRight(scaleWidth);
  const float below = axisHeight(picture, std::min(left.width, area.width));
  left.width = left.height = std::min(left.width, left.height - below);
  area.height = std::min(left.height, 32.0f * static_cast<float>(picture.count));
  addPlaceMatrix(picture, left, ofToken, scale);
  addPlaces(picture, {left.x, left.bottom(), left.width, axisHeight(picture, left.width)});
  addTokenHeatmap(picture,
                  {area, withFinal, scale, depth, "cosines with the final state", sayFinal(picture)});
  addPlaces(picture, {area.x, area.bottom(), area.width, axisHeight(picture, area.width)});
}

}  // namespace glassformer
