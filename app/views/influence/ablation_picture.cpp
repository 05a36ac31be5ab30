#include "app/views/influence/ablation_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/leave_out_settings.h"
#include "app/document/view_commands.h"
#include "app/engine/ablation_map.h"
#include "app/engine/asked_metric.h"
#include "app/scene/format.h"
#include "app/views/influence/counted_line.h"
#include "app/views/influence/head_line.h"

namespace glassformer {

namespace {

constexpr float rowName = 88, narrowRowName = 64, columnName = 28, mostCellHeight = 128, mostCellWidth = 144,
                errorLine = 24, headLine = 24, countedLine = 32;

class LeaveOutPicture {
 public:
  explicit LeaveOutPicture(InfluencePicture& picture)
      : picture_(picture),
        input_(picture.input),
        theme_(picture.theme),
        metric_(chosenMetric(picture.input.workspace.settings, usualAblationMetric)),
        entry_(picture.input.snapshot.pass->predicted.entry),
        against_(
            askedAnswer(picture.input.workspace.settings, *picture.input.snapshot.pass, metric_).against),
        rows_(causalRows(picture.config)),
        parts_(positionedParts(picture.config)),
        byPosition_(leavesOutByPosition(picture.input.workspace.settings)),
        isMean_(holdsAtMean(picture.input.workspace.settings)),
        isDifference_(picture.input.snapshot.isDifference()),
        isEstimated_(picture.input.workspace.settings.chosen(leftOutNumber) == leftOutByEstimate &&
                     metric_.kind != Metric::Kind::Divergence && !isDifference_),
        columns_(byPosition_ ? picture.count(Stream::Text) : causalColumns(picture.config)),
        values_{causal::at(causal::numberOf(picture.input.workspace.settings), byPosition_), {0, 0}, 0, 1} {}

  void draw(Box area) {
    addInfluenceHeader(
        picture_, area, title(),
        isMean_ ? "Mean ablation of one component at a time; later layers are recomputed" +
                      hint("keeps it at its mean")
                : "Zero ablation of one component at a time; later layers are recomputed" +
                      hint("keeps it ablated"),
        {{choice("Zero", "Zero ablation: outputs replaced by zeros", leftOutReplaced, leftOutReplacedByMean,
                 false),
          choice("Mean", "Mean ablation: outputs replaced by their mean over the positions of this text",
                 leftOutReplaced, leftOutReplacedByMean, true)},
         {choice("All positions", "Each component ablated at all positions", leftOutAt, leftOutByPosition,
                 false),
          choice("By position", "Each head and MLP ablated at one position at a time", leftOutAt,
                 leftOutByPosition, true)},
         metric_.kind == Metric::Kind::Loss ? positionsChoices(input_.workspace.settings)
                                            : std::vector<Choice>(),
         isDifference_ ? std::vector<Choice>() : std::vector{estimate()}},
        metricChoicesOf(input_.workspace.settings, usualAblationMetric));
    area.takeTop(8);
    if (!byPosition_) addHeadLine(picture_, area.takeTop(headLine), metric_);
    if (metric_.kind == Metric::Kind::Loss) addCountedLine(picture_, area.takeTop(countedLine));
    Box column = area.takeRight(std::clamp(area.width * 0.24f, 168.0f, 264.0f));
    area.takeRight(24);
    addAttributedLogits(picture_, column, entry_, against_);
    if (!picture_.isThere(values_.tensor)) return addInfluenceWaiting(picture_, area);
    Range all = rangeOf(picture_.scene.sources, values_);
    if (isEstimated_) all = unionOf(all, rangeOf(picture_.scene.sources, estimates()));
    scale_ = metric_.kind == Metric::Kind::Divergence && !isDifference_
                 ? Coloring{ColorMap::Sequential, {0, std::max(all.high, 1e-6f)}}
                 : Coloring{ColorMap::Diverging, symmetric(all)};
    addColorScale(picture_.scene, input_,
                  {column.x + 8, column.y, column.width, std::min(column.height, 160.0f)}, scale_.map,
                  scale_.range);
    if (!isEstimated_) return addMap(area, values_);
    addErrors(area.takeTop(errorLine));
    Box exact = area.takeLeft((area.width + rowNames()) / 2 - 6);
    area.takeLeft(12);
    addMap(exact, values_);
    addMap(area, estimates());
  }

 private:
  std::string title() const {
    return metric_.kind == Metric::Kind::Loss
               ? picture_.titleOf("Ablation", "Loss of this text")
               : picture_.titleOf("Ablation", picture_.contrastWords(entry_, against_));
  }
  // Nobody clicks on paper.
  std::string hint(const char* does) const {
    return isDifference_      ? "; here minus the other text"
           : input_.isStill() ? ""
                              : std::string("; a click ") + does;
  }
  // Beside the exact number.
  Choice estimate() const {
    const bool isOn = isEstimated_;
    return {"Estimate", "Gradient estimate and its error (attribution patching, Nanda 2023)", isOn,
            commands::choose(leftOutNumber, isOn ? "" : leftOutByEstimate)};
  }
  TensorRef estimates() const {
    TensorRef all = values_;
    all.tensor = causal::at(causal::estimate, byPosition_);
    return all;
  }
  TensorRef errorOf(const TensorRef& cell) const {
    TensorRef error = cell;
    error.tensor = causal::at(causal::error, byPosition_);
    return error;
  }
  // How far the gradient is off, of what is there so far.
  void addErrors(const Box& line) {
    float most = 0, sum = 0;
    int known = 0;
    const TensorView errors = *picture_.scene.sources.find(errorOf(values_).tensor);
    for (int row = 0; row < errors.extent[0]; ++row)
      for (int column = 0; column < errors.extent[1]; ++column) {
        const float error = std::abs(errors(row, column));
        if (!std::isfinite(error)) continue;
        most = std::max(most, error), sum += error, ++known;
      }
    if (known == 0) return;
    addText(picture_.scene, {line.x, line.center().y},
            "exact, and by the gradient; error " + formattedFixed(sum / static_cast<float>(known), 2) +
                ", at most " + formattedFixed(most, 2),
            theme_.note())
        .maxWidth = line.width;
  }
  // Of a choice between something usual and one other value.
  Choice choice(const char* label, const char* tip, const char* id, const char* value, bool other) const {
    return {label, tip, (input_.workspace.settings.chosen(id) == value) == other,
            commands::choose(id, other ? value : "")};
  }
  int rowCount() const { return static_cast<int>(byPosition_ ? parts_.size() : rows_.size()); }
  std::string nameOfColumn(int column) const {
    const bool isAll = !byPosition_ && column + 2 == columns_ && picture_.config.hasAttention();
    return isEstimated_ && isAll ? "all" : causalColumnName(picture_.config, column);
  }
  std::string nameOfRow(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return byPosition_ ? shortNameOf(parts_[i]) : causalRowName(rows_[i]);
  }

  float rowNames() const { return byPosition_ ? narrowRowName : rowName; }
  void addMap(const Box& area, const TensorRef& values) {
    const bool isEstimate = !(values.tensor == values_.tensor);
    const auto down = static_cast<float>(rowCount()), across = static_cast<float>(columns_);
    const float names = isEstimate ? 0 : rowNames(),
                above = byPosition_ ? std::min(96.0f, area.height * 0.25f) : columnName;
    const float width = std::min((area.width - names) / across, mostCellWidth),
                height = std::min((area.height - above) / down, mostCellHeight);
    const Box map{area.x + names, area.y + above, width * across, height * down};
    Matrix matrix;
    matrix.values = values, matrix.box = map, matrix.map = scale_.map, matrix.range = scale_.range;
    matrix.gaps = true;  // where a block has no such part
    picture_.scene.add(matrix);
    addCellNumbers(picture_.scene, input_, matrix, height > 36 ? Theme::body : Theme::small, 11);
    picture_.scene.add(Rect{map, {0, 0, 0, 0}, theme_.line});
    const auto none = [](int) { return false; };
    if (!isEstimate)
      addLabels(
          picture_.scene, input_,
          {map, Side::Left, rowCount(), names - 8, [&](int i) { return nameOfRow(i); }, none, FontFace::Ui});
    if (byPosition_) return addPositions(map, above, values);
    for (int row = 0; row < rowCount(); ++row)
      for (int column = 0; column < columns_; ++column)
        addPart(row, column, map.cell(row, column, rowCount(), columns_), values);
    for (int column = 0; column < columns_; ++column)
      addText(picture_.scene, {map.x + (static_cast<float>(column) + 0.5f) * width, map.y - 12},
              nameOfColumn(column), theme_.note(), Align::Middle)
          .maxWidth = width + (isEstimated_ ? 4 : -2);
  }

  // Every cell is one part at one token; a click leaves it out there.
  void addPositions(const Box& map, float above, const TensorRef& values) {
    addLabels(picture_.scene, input_,
              {map, Side::Top, columns_, above - 8, [&](int i) { return input_.label(i); },
               [&](int i) { return input_.hover.touches(i) || i == picture_.position; }});
    HitRegion& hit =
        addHitRegion(picture_.scene, map, values,
                     values.tensor == values_.tensor ? "ablated by position" : "estimated by position");
    hit.rows = rowCount(), hit.columns = columns_;
    hit.columnAxis = Axis::Token;
    hit.say = [parts = parts_, isMean = isMean_, says = saysOf(values) + clickWords()](const Target& target) {
      return nameOf(parts[static_cast<std::size_t>(target.cell.index[0])]) +
             (isMean ? " replaced by its mean at this position only" : " ablated at this position only") +
             says;
    };
    if (isDifference_) return;  // a column is a place in both texts
    hit.click = [parts = parts_, isMean = isMean_, pass = input_.snapshot.pass](const Target& target) {
      const ModelPart& part = parts[static_cast<std::size_t>(target.cell.index[0])];
      const Intervention off = switchedOffAt(part, target.cell.index[1]);
      return isMean ? commands::addIntervention(meanAblation(*pass, part, off), nameOf(part) + " at its mean")
                    : commands::addIntervention(off, nameOf(part) + " ablated");
    };
  }

  std::string saysOf(const TensorRef& values) const {
    return isDifference_                     ? ", here minus the other text"
           : values.tensor == values_.tensor ? ""
                                             : ", by the gradient";
  }
  std::string clickWords() const {
    return isDifference_ ? ""
           : isMean_     ? "; a click keeps its mean there"
                         : "; a click keeps it ablated there";
  }
  void addPart(int row, int column, const Box& box, const TensorRef& values) {
    const auto part = causalPart(picture_.config, rows_[static_cast<std::size_t>(row)], column);
    if (!part) return;
    const Interventions& standing = input_.workspace.interventions;
    const bool off =
        isMean_ ? heldByTensor(standing, zeroAblation(*part)) != nullptr : isOff(standing, *part);
    HitRegion& hit = addHitRegion(picture_.scene, box, values.cell(row, column));
    hit.target.layer = part->layer;
    if (part->kind == ModelPart::Kind::Head) hit.target.head = part->head;
    hit.target.text = nameOf(*part) + (isMean_ ? off ? " is at its mean; a click restores it"
                                                     : ": at its mean" + saysOf(values)
                                       : off ? " is ablated; a click restores it"
                                               : ": ablated, it is" + saysOf(values));
    const float error = valueOf(picture_.scene.sources, errorOf(hit.target.cell)).value_or(NAN);
    if (isEstimated_ && std::isfinite(error))
      hit.target.text += "; error of the estimate " + formattedShort(error);
    hit.name = (values.tensor == values_.tensor ? "ablated " : "estimated ") + nameOf(*part);
    const Snapshot& open = isDifference_ ? *input_.snapshot.sides->a : input_.snapshot;
    if (isMean_)
      hit.click = [part = *part, pass = open.pass](const Target&) {
        return commands::toggleHeldByTensor(meanAblation(*pass, part, zeroAblation(part)), nameOf(part));
      };
    else
      hit.click = [part = *part](const Target&) { return commands::togglePart(part); };
    if (off) addOutline(picture_.scene, box.inset(2), theme_.broken, 2);
  }

  InfluencePicture& picture_;
  const SceneInput& input_;
  const Theme& theme_;
  const MetricChoice& metric_;
  int entry_, against_;
  std::vector<CausalRow> rows_;
  std::vector<ModelPart> parts_;
  bool byPosition_, isMean_, isDifference_, isEstimated_;
  int columns_;
  TensorRef values_;
  Coloring scale_;
};

}  // namespace

void drawLeaveOutPicture(InfluencePicture& picture, Box area) {
  if (const std::string& missing = picture.input.snapshot.kept.missing; !missing.empty())
    picture.scene = emptyScene(picture.input, "No ablation", missing);
  else
    LeaveOutPicture(picture).draw(area);
}

}  // namespace glassformer
