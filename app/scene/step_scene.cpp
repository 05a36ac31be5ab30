#include "app/scene/step_scene.h"

#include "app/document/steps.h"
#include "app/scene/parts.h"

namespace glassformer {

namespace {

// The plane of a step's tensor: positions down, the rest across.
TensorRef planeOf(const TracePoint& point, const TensorView& tensor, int head, int heads) {
  TensorRef ref;
  ref.tensor = point.name;
  for (std::size_t d = 0; d < point.letters.size(); ++d) {
    const int dimension = static_cast<int>(d);
    if (point.letters[d] == 'H')
      ref.index[d] = head * tensor.extent[d] / heads;  // several queries may share one key
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
  if (step.perHead) title += " · head " + std::to_string(input.head());
  scene.title = title, scene.about = point.equation;
  const float named = input.metrics.width(point.name, FontFace::Mono, Theme::small);
  addText(scene, {heading.x, heading.y + 12}, title, {FontFace::Strong, Theme::title, theme.text}).maxWidth =
      heading.width - named - 16;
  Text& meaning =
      addText(scene, {heading.x, heading.y + 38}, point.meaning, {FontFace::Ui, Theme::small, theme.quiet});
  meaning.maxWidth = heading.width;
  addText(scene, {heading.x, heading.y + 62}, point.equation, {FontFace::Mono, Theme::body, theme.text})
      .maxWidth = heading.width * 0.7f;
  addText(scene, {heading.right(), heading.y + 12}, point.name, {FontFace::Mono, Theme::small, theme.quiet},
          Align::End);
  addText(scene, {heading.right(), heading.y + 38}, shapeText(point, tensor),
          {FontFace::Mono, Theme::small, theme.quiet}, Align::End);
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

}  // namespace

Scene stepScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.config)
    return emptyScene(input, "No forward pass yet", input.snapshot.error);
  const auto steps = stepsOf(*input.snapshot.config);
  const Step& step = steps[static_cast<std::size_t>(
      std::clamp(input.workspace.step, 0, static_cast<int>(steps.size()) - 1))];
  const std::string tensor = tensorOf(step, input.head());
  Scene scene;
  scene.size = input.size;
  scene.sources = input.sources();
  const TracePoint* point = scene.sources.point(tensor);
  if (!point) return emptyScene(input, fullTitle(step), "no " + tensor + " yet");
  Box area = Box{0, 0, input.size.x, input.size.y}.inset(24);
  addHeading(scene, input, area, step, *point, *scene.sources.find(tensor));

  Matrix matrix;
  matrix.values = planeOf(*point, *scene.sources.find(tensor), input.head(), input.snapshot.config->heads);
  const auto cells = plane(scene.sources, matrix.values);
  if (!cells) return emptyScene(input, fullTitle(step), "there is nothing at this step");
  const bool overKeys = point->letters.back() == 'S';
  const Coloring plain =
      isShare(step.tensor) ? Coloring{ColorMap::Sequential, {0, 1}}
                           : Coloring{ColorMap::Diverging, symmetric(rangeOf(scene.sources, matrix.values))};
  const Coloring colors = coloring(input, {matrix.values}, plain);
  matrix.map = colors.map, matrix.range = colors.range;
  const Box legend = area.takeRight(112);
  const float labelDepth = 96;
  Box body = area;
  body.takeLeft(labelDepth);
  body.takeTop(overKeys ? labelDepth : 8);
  const float rowHeight = std::min(28.0f, body.height / static_cast<float>(cells->extent[0]));
  body.height = rowHeight * static_cast<float>(cells->extent[0]);
  if (overKeys) {
    const auto rows = static_cast<float>(cells->extent[0]), columns = static_cast<float>(cells->extent[1]);
    const float cell = std::min(body.width / columns, body.height / rows);
    body.width = cell * columns, body.height = cell * rows;
  }
  matrix.box = body;
  scene.add(matrix);
  scene.add(Rect{body, {0, 0, 0, 0}, input.theme.line, 0, 1});
  const auto addTokens = [&](Side side, int count, Stream stream) {
    const auto label = [&](int i) { return input.label(i, stream); };
    const auto touched = [&](int i) { return input.hover.touches(i, stream); };
    addLabels(scene, input, {body, side, count, labelDepth, label, touched});
  };
  addTokens(Side::Left, cells->extent[0], point->rows);
  if (overKeys) addTokens(Side::Top, cells->extent[1], point->keys);
  addColorScale(scene, input,
                {body.right() + 16, body.y, legend.width, std::clamp(body.height, 40.0f, 160.0f)}, matrix.map,
                matrix.range);
  scene.hits.push_back(hitsOf(matrix, *point, step, *cells, input));
  return scene;
}

}  // namespace glassformer
