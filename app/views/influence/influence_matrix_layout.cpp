#include "app/views/influence/influence_matrix_layout.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/drawing/entry_labels.h"
#include "app/views/influence/influence_sentence_layout.h"
#include "core/model/intervention_step.h"

namespace glassformer {

namespace {

constexpr float influenceMatrixHeadingHeight = 24, influenceGap = 32, largestInfluenceCell = 56,
                labelledRow = 18;
const char* const entries = "lens.influenced_token";

class MatrixBuilder {
 public:
  explicit MatrixBuilder(InfluenceView& view)
      : view_(view), theme_(view.theme), rows_(view.count(Stream::Text)) {
    for (const Stream stream : view.streams)
      all_.push_back({view.tensor(stream, "_matrix"), {}, 0, 1, -1, -1});
    scale_ = influenceScale(view, all_);
  }

  void draw(Box area) {
    if (isTooLong(view_)) return drawOneInfluence(view_, area);
    const std::string about = view_.settings.byInput ? "x_s · ∂logit[t, v] / ∂x_s" : "‖∂logit[t, v] / ∂x_s‖";
    addInfluenceHeader(view_, area, "What each prediction depends on",
                       about + ", for the likeliest token v at every position t", {influenceKinds(view_)});
    if (!view_.isThere(all_.front().tensor)) return addMatrixWaiting(view_, area);
    const float depth = labelDepth();
    area.takeLeft(depth);
    const Box scale = area.takeRight(scaleLabelWidth(view_, scale_.range) + 40);
    const Box answers = area.takeRight(depth + 8);
    area.takeTop(depth + (hasHeadings() ? influenceMatrixHeadingHeight : 0));
    area.takeBottom(8);
    const float end = addMatrices(area, depth);
    addAnswers({end, area.y, answers.width, height_});
    addLegend({std::min(end + answers.width + 8, scale.x + 8), area.y, scale.width, height_});
  }

 private:
  // Whether no path leads from a later token.
  bool isTriangular(Stream stream) const {
    return stream == Stream::Text && view_.config.causal() &&
           !mayLookAhead(view_.input.workspace.interventions);
  }
  bool hasHeadings() const { return view_.streams.size() > 1; }

  float labelDepth() const {
    return std::clamp(std::ceil((view_.widestLabel() + 16) / 8) * 8, 56.0f, 104.0f);
  }

  // The source's tokens and the text's side by side, in square cells or as high as labels need. Returns where
  // they end.
  float addMatrices(Box area, float depth) {
    int columns = 0;
    for (const Stream stream : view_.streams) columns += view_.count(stream);
    const float gaps = influenceGap * static_cast<float>(view_.streams.size() - 1);
    const float most = std::min(largestInfluenceCell, area.height / static_cast<float>(rows_));
    const float width =
        std::min(2 * most, std::min(largestInfluenceCell, (area.width - gaps) / static_cast<float>(columns)));
    height_ = std::min(most, std::max(width, labelledRow)) * static_cast<float>(rows_);
    float x = area.x;
    for (std::size_t i = 0; i < view_.streams.size(); ++i) {
      const Box box{x, area.y, width * static_cast<float>(view_.count(view_.streams[i])), height_};
      addMatrix(box, i, depth);
      x = box.right() + influenceGap;
    }
    return x - influenceGap;
  }

  void addMatrix(const Box& box, std::size_t i, float depth) {
    const Stream stream = view_.streams[i];
    const int columns = view_.count(stream);
    if (hasHeadings())
      addText(view_.scene, {box.x, box.y - depth - influenceMatrixHeadingHeight / 2},
              stream == Stream::Source ? "source" : "target", theme_.strong())
          .maxWidth = box.width;
    Matrix matrix;
    matrix.box = box, matrix.values = all_[i];
    matrix.map = scale_.map, matrix.range = scale_.range;
    matrix.gaps = view_.input.snapshot.isDifference();
    if (isTriangular(stream)) matrix.mask = AttentionMask{MaskKind::Causal, 0, {}};
    view_.scene.add(matrix);
    if (matrix.mask)
      addMaskHatch(view_.scene, box, columns, 0, 0, *matrix.mask, mix(theme_.line, theme_.quiet, 0.15f));
    view_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addMarks(box, i);
    if (i == 0)
      addLabels(view_.scene, view_.input,
                {box, Side::Left, rows_, depth, [&](int t) { return view_.input.label(t); },
                 [&](int t) { return isStrongRow(t); }});
    AxisLabels top{box, Side::Top, columns, depth};
    top.label = [&](int s) { return view_.input.label(s, stream); };
    top.strong = [&](int s) { return view_.isPointed(s, stream); };
    addLabels(view_.scene, view_.input, top);
    addHit(box, i);
  }

  bool isStrongRow(int t) const {
    const Target& hover = view_.input.hover;
    const bool pointed = hover.query != Target::none ? hover.query == t && hover.queries == Stream::Text
                                                     : view_.isPointed(t, Stream::Text);
    return t == view_.position || pointed;
  }

  // The selected row, and the row and column under the pointer.
  void addMarks(const Box& box, std::size_t i) {
    const Box chosen = box.cell(view_.position, 0, rows_, 1);
    view_.scene.add(
        Rect{{box.x - 4, chosen.y, 3, std::max(chosen.height, 2.0f)}, theme_.accent, {0, 0, 0, 0}, 0, 1});
    const Target& hover = view_.input.hover;
    const int columns = view_.count(view_.streams[i]);
    if (hover.cell.tensor == all_[i].tensor && hover.query >= 0 && hover.query < rows_ && hover.key >= 0 &&
        hover.key < columns)
      addOutline(view_.scene, box.cell(hover.query, hover.key, rows_, columns), theme_.text, 1);
  }

  void addHit(const Box& box, std::size_t i) {
    const Stream stream = view_.streams[i];
    HitRegion hit;
    hit.box = box;
    hit.target.cell = all_[i];
    hit.target.keys = stream;
    hit.rows = rows_, hit.columns = view_.count(stream);
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [](const Target& target) { return commands::selectQuery(target.query); };
    hit.say = [predictions = predictions(), tokens = labels(stream),
               sources = view_.scene.sources](const Target& target) {
      return influenceWords(tokens[static_cast<std::size_t>(target.key)],
                            predictions[static_cast<std::size_t>(target.query)],
                            valueOf(sources, target.cell).value_or(0));
    };
    hit.name = stream == Stream::Source ? "source influences" : "influences";
    view_.scene.hits.push_back(std::move(hit));
  }

  std::vector<std::string> labels(Stream stream) const {
    std::vector<std::string> all;
    for (int i = 0; i < view_.count(stream); ++i) all.push_back(view_.quoted(i, stream));
    return all;
  }
  std::vector<std::string> predictions() const {
    const EntryLabels entry(view_.input.snapshot, entries, 0);
    std::vector<std::string> all;
    for (int t = 0; t < rows_; ++t) all.push_back(view_.prediction(entry({t}), t));
    return all;
  }

  void addLegend(const Box& box) {
    const Box scale{box.x, box.y, box.width, std::clamp(box.height - 40, 48.0f, 160.0f)};
    addColorScale(view_.scene, view_.input, scale, scale_.map, scale_.range);
    if (rows_ > 1 && isTriangular(Stream::Text))
      addMaskedLegend(view_.scene, view_.input, {scale.x - 1, scale.bottom() + 16}, "no path");
  }

  // What is predicted in each row.
  void addAnswers(const Box& box) {
    const EntryLabels entry(view_.input.snapshot, entries, 0);
    const float row = box.height / static_cast<float>(rows_);
    const int every = std::max(1, static_cast<int>(std::ceil((Theme::small + 3) / row)));
    addText(view_.scene, {box.x + 8, box.y - 14}, "predicts", theme_.note()).maxWidth = box.width - 8;
    for (int t = 0; t < rows_; ++t) {
      if (every > 1 && (t % every != 0)) continue;
      addText(view_.scene, {box.x + 8, box.cell(t, 0, rows_, 1).center().y}, entry({t}),
              {FontFace::Mono, Theme::small, isStrongRow(t) ? theme_.text : theme_.quiet})
          .maxWidth = box.width - 8;
    }
  }

  InfluenceView& view_;
  const Theme& theme_;
  int rows_;
  std::vector<TensorRef> all_;  // by stream
  Coloring scale_;
  float height_ = 0;
};

}  // namespace

void drawInfluenceMatrixLayout(InfluenceView& view, Box area) { MatrixBuilder(view).draw(area); }

}  // namespace glassformer
