#include "app/views/steps/step_picture.h"

#include <utility>

#include "app/document/chosen_number.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/view_header.h"

namespace glassformer {

namespace {

Step stepOf(const SceneInput& input) { return stepCalled(input.workspace.step, stepsOf(input.model())); }

std::string shapeText(const TracePoint& point, const TensorView& tensor) {
  std::string text;
  for (std::size_t d = 0; d < point.letters.size(); ++d)
    text += (d ? " × " : "") + std::string(1, point.letters[d]) + " " + std::to_string(tensor.extent[d]);
  return text;
}

// Where a cell stands in a plane; -1: elsewhere.
int placeIn(const TensorRef& plane, const TensorRef& cell, int dimension) {
  if (cell.tensor != plane.tensor || dimension < 0) return -1;
  const auto d = static_cast<std::size_t>(dimension);
  return cell.index[d] - plane.index[d];
}

// The key, or entry of the vocabulary, with the largest number of a row.
int largestIn(const TensorView& cells, int row) {
  int largest = 0;
  for (int i = 1; i < cells.extent[1]; ++i)
    if (cells(row, i) > cells(row, largest)) largest = i;
  return largest;
}

}  // namespace

TensorRef planeOf(const TracePoint& point, const TensorView& tensor, const SceneInput& input, int tap) {
  TensorRef ref;
  ref.tensor = point.name;
  for (std::size_t d = 0; d < point.letters.size(); ++d) {
    const int dimension = static_cast<int>(d);
    if (point.letters[d] == 'H')  // several queries may share one key
      ref.index[d] = input.head() * tensor.extent[d] / input.config().heads;
    else if (point.letters[d] == 'J')
      ref.index[d] = tap;
    else if (point.letters[d] == 'T' && ref.rowDimension < 0)
      ref.rowDimension = dimension;
    else
      ref.columnDimension = dimension;
  }
  return ref;
}

int tapsOf(const TracePoint& point, const TensorView& tensor) {
  const auto letter = point.letters.find('J');
  return letter == std::string::npos ? 0 : tensor.extent[letter];
}

int chosenTap(const SceneInput& input, int taps) {
  return std::clamp(chosenNumber(input.workspace.settings, tapChoice, input.config().tapsAhead()), 0,
                    std::max(taps - 1, 0));
}

StepPicture::StepPicture(const SceneInput& sceneInput)
    : input(sceneInput), theme(sceneInput.theme), step(stepOf(sceneInput)) {
  scene.size = input.size;
  scene.sources = input.sources();
  const std::string tensor = tensorOf(step, input.head());
  point = scene.sources.point(tensor);
  const TensorView values = *scene.sources.find(tensor);
  result = planeOf(*point, values, input, chosenTap(input, tapsOf(*point, values)));
  cells = *plane(scene.sources, result);
}

std::optional<Scene> StepPicture::empty(const SceneInput& input) {
  if (!input.snapshot.pass->hasTrace() || !input.snapshot.model->config)
    return emptyScene(input, "No text yet", input.snapshot.standing.error);
  const Step step = stepOf(input);
  const std::string tensor = tensorOf(step, input.head());
  const TensorSources sources = input.sources();
  const TracePoint* point = sources.point(tensor);
  if (!point) return emptyScene(input, fullTitle(step), "no " + tensor + " yet");
  if (!plane(sources, planeOf(*point, *sources.find(tensor), input)))
    return emptyScene(input, fullTitle(step), "this operation has no result");
  return std::nullopt;
}

int StepPicture::row() const { return std::clamp(input.query(step.stream()), 0, cells.extent[0] - 1); }

int StepPicture::column() const {
  const Selection& chosen = input.workspace.selection;
  const int own = isOverKeys()      ? chosen.keyAt(step.site)
                  : isOverEntries() ? chosenNumber(input.workspace.settings, logitChoice, -1)
                                    : chosen.dimension;
  return own < 0 ? largestIn(cells, row()) : std::min(own, cells.extent[1] - 1);
}

std::optional<std::array<int, 2>> StepPicture::pointed() const {
  const int r = placeIn(result, input.hover.cell, result.rowDimension),
            c = placeIn(result, input.hover.cell, result.columnDimension);
  const bool isThere = r >= 0 && r < cells.extent[0] && c >= 0 && c < cells.extent[1];
  return isThere ? std::optional(std::array{r, c}) : std::nullopt;
}

std::function<Command(int row, int column)> StepPicture::choosing() const {
  return [=, own = step, keys = isOverKeys(), entries = isOverEntries()](int row, int column) -> Command {
    if (keys) return commands::selectCell(row, column, own.site);
    const Command atRow = commands::selectQuery(row, own.stream()),
                  atColumn = entries ? commands::choose(logitChoice, std::to_string(column))
                                     : commands::selectDimension(column);
    return {[=](Workspace& w) { atRow.apply(w), atColumn.apply(w); }, "", ""};
  };
}

std::optional<Command> chooseNext(const SceneInput& input, bool wholeRows) {
  if (StepPicture::empty(input)) return std::nullopt;
  const StepPicture picture(input);
  const bool isLast = picture.column() + 1 >= picture.cells.extent[1];
  const int row = wholeRows || isLast ? picture.row() + 1 : picture.row(),
            column = wholeRows ? picture.column()
                     : isLast  ? 0
                               : picture.column() + 1;
  if (row >= picture.cells.extent[0]) return std::nullopt;
  return picture.choosing()(row, column);
}

std::optional<Command> chooseFirst(const SceneInput& input, bool wholeRows) {
  if (StepPicture::empty(input)) return std::nullopt;
  const StepPicture picture(input);
  return picture.choosing()(0, wholeRows ? picture.column() : 0);
}

void addStepHeading(StepPicture& picture, Box& area) {
  const Theme& theme = picture.theme;
  Scene& scene = picture.scene;
  const TracePoint& point = *picture.point;
  std::string title = fullTitle(picture.step);
  if (picture.step.perHead)
    title += " · " + nameOf(HeadId{picture.step.layer, picture.input.head(), picture.step.site});
  scene.title = title, scene.about = point.equation;
  addViewTitle(scene, picture.input, area, title);
  if (picture.input.isHeadedApart()) return;
  area.takeTop(8);
  const TextStyle mono = theme.quietMono();
  const auto line = [&](const std::string& left, TextStyle style, const std::string& right) {
    const Box box = area.takeTop(24);
    const float width = picture.input.metrics.width(right, mono.face, mono.size);
    addText(scene, {box.x, box.y + 12}, left, style).maxWidth = box.width - width - 16;
    addText(scene, {box.right(), box.y + 12}, right, mono, Align::End);
  };
  line(point.meaning, theme.note(), shapeText(point, *scene.sources.find(point.name)));
  line(point.equation, {FontFace::Mono, Theme::body, theme.text}, point.name);
  area.takeTop(8);
}

Coloring stepColoring(const SceneInput& input, const std::vector<TensorRef>& planes) {
  const TensorSources sources = input.sources();
  const std::string& name = planes.front().tensor;
  if (name.ends_with("hook_pattern") || name.ends_with("hook_unmasked_pattern") ||
      name.starts_with("lens.zeroed") || name.starts_with("lens.exp."))
    return coloring(input, planes, {ColorMap::Sequential, {0, 1}});
  Range all = rangeOf(sources, planes.front());
  for (const TensorRef& each : planes) all = unionOf(all, rangeOf(sources, each));
  return coloring(input, planes, {ColorMap::Diverging, symmetric(all)});
}

HitRegion stepHits(const StepPicture& picture, const Box& box, const TensorRef& values) {
  const TensorView shown = *plane(picture.scene.sources, values);
  HitRegion hit;
  hit.box = box;
  hit.target.cell = values;
  hit.target.layer = picture.step.layer;
  if (picture.step.perHead) hit.target.head = picture.input.head();
  hit.rows = shown.extent[0], hit.columns = shown.extent[1];
  const char last = picture.point->letters.back();
  hit.target.queries = hit.target.tokens = picture.point->rows, hit.target.keys = picture.point->keys;
  hit.rowAxis = last == 'S' ? Axis::Query : Axis::Token;
  hit.columnAxis = last == 'S' ? Axis::Key : last == 'V' ? Axis::Entry : Axis::Dimension;
  if (values.columnDimension >= 0)
    std::swap(hit.firstColumn, hit.target.cell.index[static_cast<std::size_t>(values.columnDimension)]);
  hit.name = "step tensor";
  return hit;
}

}  // namespace glassformer
