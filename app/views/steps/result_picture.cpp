#include <algorithm>

#include "app/drawing/parts.h"
#include "app/drawing/place_names.h"
#include "app/views/steps/step_picture.h"

namespace glassformer {

namespace {

// The tensor of a step as heatmaps on one scale: one, or of a convolution's taps one each beside another.
class StepMatrices {
 public:
  explicit StepMatrices(StepPicture& picture)
      : picture_(picture), scene_(picture.scene), input_(picture.input), point_(*picture.point) {
    const TensorView tensor = *scene_.sources.find(point_.name);
    taps_ = std::max(tapsOf(point_, tensor), 1);
    for (int tap = 0; tap < taps_; ++tap) planes_.push_back(planeOf(point_, tensor, input_, tap));
    overKeys_ = picture.isOverKeys();
  }

  void draw(Box area) {
    const TensorView cells = *plane(scene_.sources, planes_.front());
    const Box legend = area.takeRight(112);
    Box body = area;
    body.takeLeft(labelDepth);
    body.takeTop(overKeys_ ? labelDepth : 8);
    Box titles;
    if (taps_ > 1) titles = body.takeTop(24);
    body = fitted(body, cells);
    const Coloring colors = stepColoring(input_, planes_);
    const int shown = std::clamp(static_cast<int>((body.width + gap) / (leastWidth + gap)), 1, taps_);
    const float width = (body.width + gap) / static_cast<float>(shown) - gap;
    for (int tap = 0; tap < shown; ++tap) {
      const Box box{body.x + static_cast<float>(tap) * (width + gap), body.y, width, body.height};
      if (taps_ > 1)
        addText(scene_, {box.x, titles.y + 10}, tapWords(input_.config(), tap), input_.theme.plain())
            .maxWidth = width;
      add(box, planes_[static_cast<std::size_t>(tap)], colors);
      if (taps_ > 1) scene_.hits.back().name = "tap " + std::to_string(tap);
    }
    addTokens(body, cells);
    const Box strip{body.right() + 16, body.y, legend.width, std::clamp(body.height, 40.0f, 160.0f)};
    addColorScale(scene_, input_, strip, colors.map, colors.range);
    if (shown < taps_)
      addText(scene_, {strip.x, strip.bottom() + 20}, "+ " + std::to_string(taps_ - shown) + " more",
              input_.theme.note())
          .maxWidth = strip.width;
  }

 private:
  static constexpr float labelDepth = 96, leastWidth = 72, gap = 16;

  // Rows no higher than comfortable; cells over keys are squares, large enough for digits.
  Box fitted(Box body, const TensorView& cells) const {
    const auto rows = static_cast<float>(cells.extent[0]), columns = static_cast<float>(cells.extent[1]);
    body.height = std::min(overKeys_ ? 56.0f : 28.0f, body.height / rows) * rows;
    if (!overKeys_) return body;
    const float cell = std::min(body.width / columns, body.height / rows);
    return {body.x, body.y, cell * columns, cell * rows};
  }

  void add(const Box& box, const TensorRef& values, const Coloring& colors) {
    Matrix matrix;
    matrix.values = values, matrix.box = box;
    matrix.map = colors.map, matrix.range = colors.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small);
    scene_.add(Rect{box, {0, 0, 0, 0}, input_.theme.line, 0, 1});
    scene_.hits.push_back(stepHits(picture_, box, values));
  }

  void addTokens(const Box& body, const TensorView& cells) {
    const auto along = [&](Side side, int count, Stream stream) {
      const auto label = [&](int i) { return input_.label(i, stream); };
      const auto touched = [&](int i) { return input_.hover.touches(i, stream); };
      addLabels(scene_, input_, {body, side, count, labelDepth, label, touched});
    };
    along(Side::Left, cells.extent[0], point_.rows);
    if (overKeys_) along(Side::Top, cells.extent[1], point_.keys);
  }

  StepPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const TracePoint& point_;
  std::vector<TensorRef> planes_;
  int taps_ = 1;
  bool overKeys_ = false;
};

}  // namespace

void drawStepResult(StepPicture& picture, Box area) {
  addStepHeading(picture, area);
  StepMatrices(picture).draw(area);
}

}  // namespace glassformer
