#include "app/views/training/parts_picture.h"

#include <cmath>
#include <limits>

#include "app/drawing/wording.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float partsTitleHeight = 28, partsRowGap = 16, partsFootHeight = 28, partsScaleWidth = 72,
                tallestPart = 72;

// A logarithmic scale over what is above zero.
Range scaleOf(const TrainingPicture& picture, const TensorRef& ref) {
  const auto cells = plane(picture.scene.sources, ref);
  Range range{std::numeric_limits<float>::max(), 0, true};
  if (cells)
    cells->forEach([&](const auto&, float value) {
      if (std::isfinite(value) && value > 0)
        range.low = std::min(range.low, value), range.high = std::max(range.high, value);
    });
  if (!(range.high > 0)) return {1e-3f, 1, true};
  range.low = std::max(range.low, range.high * 1e-4f);
  return range.high > range.low ? Range{roundedDown(range.low), roundedUp(range.high), true}
                                : Range{range.low / 2, range.high * 2, true};
}

void addParts(TrainingPicture& picture, const Box& box, const std::string& tensor, const std::string& name) {
  const int parts = static_cast<int>(picture.side.groups.size()), columns = picture.axis().columns;
  const TensorRef ref{tensor, {}, 0, 1, parts, columns};
  Matrix matrix{box, ref, ColorMap::Sequential, scaleOf(picture, ref)};
  matrix.gaps = true;  // steps that are still to come
  picture.scene.add(matrix);
  picture.scene.add(Rect{box, {0, 0, 0, 0}, picture.theme.line});
  addLabels(picture.scene, picture.input,
            {box, Side::Left, parts, 96,
             [groups = picture.side.groups](int part) { return groups[static_cast<std::size_t>(part)]; },
             [](int) { return false; }, FontFace::Ui, Theme::small - 1});
  addColorScale(picture.scene, picture.input, {box.right() + 16, box.y, partsScaleWidth - 16, box.height},
                matrix.map, matrix.range);
  addStepMarker(picture, box);
  HitRegion& hit = addHitRegion(picture.scene, box, ref, name);
  hit.rows = parts, hit.columns = columns;
  hit.click = showStep(picture, 1);
  hit.say = [groups = picture.side.groups, axis = picture.axis()](const Target& target) {
    return groups[static_cast<std::size_t>(target.cell.index[0])] + ", step " +
           std::to_string(axis.stepOf(target.cell.index[1]));
  };
}

}  // namespace

void drawPartsPicture(TrainingPicture& picture, Box area) {
  addTrainingHeader(picture, area);
  area.takeLeft(96), area.takeRight(partsScaleWidth), area.takeBottom(partsFootHeight);
  const float most = tallestPart * static_cast<float>(picture.side.groups.size());
  const float height = std::min(most, (area.height - partsRowGap) / 2 - partsTitleHeight);
  Box box;
  const auto part = [&](std::vector<std::string> titles, const char* tensor, const char* name) {
    const Box line = area.takeTop(partsTitleHeight);
    const TextStyle style = picture.theme.strong();
    addText(picture.scene, {line.x, line.y + 12},
            wordingFor(line.width, picture.input, style, std::move(titles)), style)
        .maxWidth = line.width;
    addParts(picture, box = area.takeTop(height), tensor, name);
    area.takeTop(partsRowGap);
  };
  part({"Gradient norm of each component"}, "training.gradient_norm_by_group", "gradient by component");
  part({"Update ratio of each component, about 0.001 as a rule", "Update ratio of each component"},
       "training.update_ratio_by_group", "update by component");
  addStepNumbers(picture, box);
}

}  // namespace glassformer
