#include "app/views/steps/step_scene.h"

#include "app/document/steps.h"
#include "app/drawing/parts.h"

namespace glassformer {

namespace {

// The plane of a step's tensor: positions down, the rest across; of taps the one given.
TensorRef planeOf(const TracePoint& point, const TensorView& tensor, const SceneInput& input, int tap = 0) {
  TensorRef ref;
  ref.tensor = point.name;
  for (std::size_t d = 0; d < point.letters.size(); ++d) {
    const int dimension = static_cast<int>(d);
    if (point.letters[d] == 'H')  // several queries may share one key
      ref.index[d] = input.head() * tensor.extent[d] / input.snapshot.config->heads;
    else if (point.letters[d] == 'J')
      ref.index[d] = tap;
    else if (point.letters[d] == 'T' && ref.rowDimension < 0)
      ref.rowDimension = dimension;
    else
      ref.columnDimension = dimension;
  }
  return ref;
}

std::string shapeText(const TracePoint& point, const TensorView& tensor) {
  std::string text;
  for (std::size_t d = 0; d < point.letters.size(); ++d)
    text += (d ? " × " : "") + std::string(1, point.letters[d]) + " " + std::to_string(tensor.extent[d]);
  return text;
}

bool isShare(const std::string& name) { return name.ends_with("hook_pattern"); }

void addHeading(Scene& scene, const SceneInput& input, Box& area, const Step& step, const TracePoint& point,
                const TensorView& tensor) {
  const Theme& theme = input.theme;
  const Box heading = area.takeTop(84);
  std::string title = fullTitle(step);
  if (step.perHead) title += " · " + nameOf(HeadId{step.layer, input.head(), step.site});
  scene.title = title, scene.about = point.equation;
  const std::string shape = shapeText(point, tensor);
  const float named = input.metrics.width(point.name, FontFace::Mono, Theme::small),
              shaped = input.metrics.width(shape, FontFace::Mono, Theme::small);
  addText(scene, {heading.x, heading.y + 12}, title, {FontFace::Strong, Theme::title, theme.text}).maxWidth =
      heading.width - named - 16;
  Text& meaning =
      addText(scene, {heading.x, heading.y + 38}, point.meaning, {FontFace::Ui, Theme::small, theme.quiet});
  meaning.maxWidth = heading.width - shaped - 16;
  addText(scene, {heading.x, heading.y + 62}, point.equation, {FontFace::Mono, Theme::body, theme.text})
      .maxWidth = heading.width * 0.7f;
  addText(scene, {heading.right(), heading.y + 12}, point.name, {FontFace::Mono, Theme::small, theme.quiet},
          Align::End);
  addText(scene, {heading.right(), heading.y + 38}, shape, {FontFace::Mono, Theme::small, theme.quiet},
          Align::End);
}

HitRegion hitsOf(const Matrix& matrix, const TracePoint& point, const Step& step, const TensorView& cells,
                 const SceneInput& input) {
  HitRegion hit;
  hit.box = matrix.box;
  hit.target.cell = matrix.values;
  hit.target.layer = step.layer;
  if (step.perHead) hit.target.head = input.head();
  hit.rows = cells.extent[0], hit.columns = cells.extent[1];
  const char last = point.letters.back();
  hit.target.queries = hit.target.tokens = point.rows, hit.target.keys = point.keys;
  hit.rowAxis = last == 'S' ? Axis::Query : Axis::Token;
  hit.columnAxis = last == 'S' ? Axis::Key : last == 'V' ? Axis::Entry : Axis::Dimension;
  hit.name = "step tensor";
  return hit;
}

// The tensor of a step as heatmaps on one scale: one, or of a convolution's taps one each beside another.
class StepMatrices {
 public:
  StepMatrices(Scene& scene, const SceneInput& input, const Step& step, const TracePoint& point,
               const TensorView& tensor)
      : scene_(scene), input_(input), step_(step), point_(point) {
    const auto letter = point.letters.find('J');
    taps_ = letter == std::string::npos ? 1 : tensor.extent[letter];
    for (int tap = 0; tap < taps_; ++tap) planes_.push_back(planeOf(point, tensor, input, tap));
    overKeys_ = point.letters.back() == 'S';
  }

  bool isEmpty() const { return !plane(scene_.sources, planes_.front()); }

  void draw(Box area) {
    const TensorView cells = *plane(scene_.sources, planes_.front());
    const Box legend = area.takeRight(112);
    Box body = area;
    body.takeLeft(labelDepth);
    body.takeTop(overKeys_ ? labelDepth : 8);
    Box titles;
    if (taps_ > 1) titles = body.takeTop(24);
    body = fitted(body, cells);
    const Coloring colors = coloring(input_, planes_, scale());
    const int shown = std::clamp(static_cast<int>((body.width + gap) / (leastWidth + gap)), 1, taps_);
    const float width = (body.width + gap) / static_cast<float>(shown) - gap;
    for (int tap = 0; tap < shown; ++tap) {
      const Box box{body.x + static_cast<float>(tap) * (width + gap), body.y, width, body.height};
      if (taps_ > 1)
        addText(scene_, {box.x, titles.y + 10}, titleOf(tap), {FontFace::Ui, Theme::small, input_.theme.text})
            .maxWidth = width;
      add(box, planes_[static_cast<std::size_t>(tap)], colors, cells);
      if (taps_ > 1) scene_.hits.back().name = "tap " + std::to_string(tap);
    }
    addTokens(body, cells);
    const Box strip{body.right() + 16, body.y, legend.width, std::clamp(body.height, 40.0f, 160.0f)};
    addColorScale(scene_, input_, strip, colors.map, colors.range);
    if (shown < taps_)
      addText(scene_, {strip.x, strip.bottom() + 20}, "+ " + std::to_string(taps_ - shown) + " more",
              {FontFace::Ui, Theme::small, input_.theme.quiet})
          .maxWidth = strip.width;
  }

 private:
  static constexpr float labelDepth = 96, leastWidth = 72, gap = 16;

  static std::string titleOf(int tap) { return tap == 0 ? "itself" : std::to_string(tap) + " before"; }

  Coloring scale() const {
    if (isShare(step_.tensor)) return {ColorMap::Sequential, {0, 1}};
    Range all = rangeOf(scene_.sources, planes_.front());
    for (const TensorRef& each : planes_) all = unionOf(all, rangeOf(scene_.sources, each));
    return {ColorMap::Diverging, symmetric(all)};
  }

  // Rows no higher than comfortable; cells over keys are squares, large enough for digits.
  Box fitted(Box body, const TensorView& cells) const {
    const auto rows = static_cast<float>(cells.extent[0]), columns = static_cast<float>(cells.extent[1]);
    body.height = std::min(overKeys_ ? 56.0f : 28.0f, body.height / rows) * rows;
    if (!overKeys_) return body;
    const float cell = std::min(body.width / columns, body.height / rows);
    return {body.x, body.y, cell * columns, cell * rows};
  }

  void add(const Box& box, const TensorRef& values, const Coloring& colors, const TensorView& cells) {
    Matrix matrix;
    matrix.values = values, matrix.box = box;
    matrix.map = colors.map, matrix.range = colors.range;
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small);
    scene_.add(Rect{box, {0, 0, 0, 0}, input_.theme.line, 0, 1});
    scene_.hits.push_back(hitsOf(matrix, point_, step_, cells, input_));
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

  Scene& scene_;
  const SceneInput& input_;
  const Step& step_;
  const TracePoint& point_;
  std::vector<TensorRef> planes_;
  int taps_ = 1;
  bool overKeys_ = false;
};

}  // namespace

Scene stepScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.config)
    return emptyScene(input, "No forward pass yet", input.snapshot.error);
  const auto steps = stepsOf(*input.snapshot.config);
  const Step& step = stepCalled(input.workspace.step, steps);
  const std::string tensor = tensorOf(step, input.head());
  Scene scene;
  scene.size = input.size;
  scene.sources = input.sources();
  const TracePoint* point = scene.sources.point(tensor);
  if (!point) return emptyScene(input, fullTitle(step), "no " + tensor + " yet");
  const TensorView values = *scene.sources.find(tensor);
  StepMatrices matrices(scene, input, step, *point, values);
  if (matrices.isEmpty()) return emptyScene(input, fullTitle(step), "there is nothing at this step");
  Box area = Box{0, 0, input.size.x, input.size.y}.inset(24);
  addHeading(scene, input, area, step, *point, values);
  matrices.draw(area);
  return scene;
}

}  // namespace glassformer
