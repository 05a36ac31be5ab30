#include "app/views/influence/influence_matrix_picture.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/entry_labels.h"
#include "app/scene/format.h"
#include "app/views/influence/influence_sentence_picture.h"
#include "core/lens/leaks.h"
#include "core/model/intervention_step.h"

namespace glassformer {

namespace {

constexpr float influenceMatrixHeadingHeight = 24, influenceGap = 32, largestInfluenceCell = 56,
                labelledRow = 18;
const char* const entries = "lens.influenced_token";

// Of another token in the place of `changed`, what that does to the logits at `output`.
std::string movedWords(const std::string& output, const std::string& changed, float moved, bool isLeak) {
  if (moved == 0) return "another token than " + changed + " changes no bit of " + output + " predicts";
  const std::string far = formatted(moved);
  if (isLeak)
    return "a leak: no block lets " + output + " attend to " + changed +
           ", but another token there moves its logits by " + far;
  return "another token than " + changed + " moves the logits at " + output + " by up to " + far;
}

class MatrixBuilder {
 public:
  explicit MatrixBuilder(InfluencePicture& picture)
      : picture_(picture),
        theme_(picture.theme),
        showsLeaks_(picture.input.workspace.settings.chosen(matrixChoice) == leaksShown),
        streams_(showsLeaks_ ? std::vector{Stream::Text} : picture.streams),
        rows_(picture.count(Stream::Text)) {
    for (const Stream stream : streams_)
      all_.push_back({showsLeaks_ ? "lens.leaks" : picture.tensor(stream, "_matrix"), {}, 0, 1, -1, -1});
    scale_ = influenceScale(picture, all_, picture.settings.byInput && !showsLeaks_);
  }

  void draw(Box area) {
    if (isTooLong(picture_)) return drawOneInfluence(picture_, area);
    findLeaks();
    addHeader(area);
    if (!picture_.isThere(all_.front().tensor)) return addMatrixWaiting(picture_, area);
    const float depth = labelDepth();
    area.takeLeft(depth);
    const Box scale = area.takeRight(scaleLabelWidth(picture_, scale_.range) + 40);
    const Box answers = area.takeRight(depth + 8);
    area.takeTop(depth + (hasHeadings() ? influenceMatrixHeadingHeight : 0));
    area.takeBottom(8);
    const float end = addMatrices(area, depth);
    addAnswers({end, area.y, answers.width, height_});
    addLegend({std::min(end + answers.width + 8, scale.x + 8), area.y, scale.width, height_});
  }

 private:
  void addHeader(Box& area) {
    std::vector<Choice> kinds = influenceKinds(picture_);
    for (Choice& kind : kinds) kind.on = kind.on && !showsLeaks_;
    kinds.push_back({"Mask leaks",
                     "Logits that change with a token which every block masks from their position",
                     showsLeaks_, commands::choose(matrixChoice, leaksShown)});
    const std::string about =
        picture_.settings.byInput ? "x_s · ∂logit[t, v] / ∂x_s" : "‖∂logit[t, v] / ∂x_s‖";
    if (showsLeaks_)
      addInfluenceHeader(picture_, area, "Mask leaks", leakWords(), {kinds});
    else
      addInfluenceHeader(picture_, area, "Saliency of every token for every prediction",
                         about + ", for the top token v at every position t", {kinds});
  }

  // Pairs that every block masks, by whether anything of the token arrives all the same.
  void findLeaks() {
    const auto moved = plane(picture_.scene.sources, all_.front());
    if (!showsLeaks_ || !moved || picture_.input.snapshot.isDifference()) return;
    silent_ = AttentionMask{MaskKind::None, 0, {}};
    for (int t = 0; t < rows_; ++t)
      for (int s = 0; s < rows_; ++s)
        if (isMaskedEverywhere(picture_.config, t, s)) {
          if ((*moved)(t, s) == 0)
            silent_->painted.paint({t, s, false});
          else
            leaks_.emplace(t, s);
        }
  }

  std::string leakWords() const {
    if (!silent_) return "max_v |Δlogit[t, v]|, with token s replaced";
    const auto masked = static_cast<int>(silent_->painted.size() + leaks_.size());
    if (masked == 0) return "no token is masked from any other: no leak is possible";
    if (leaks_.empty())
      return "nothing: all " + formattedCount(masked) + " pairs that every block masks are exactly 0";
    return formattedCount(static_cast<int>(leaks_.size())) + " of " + formattedCount(masked) +
           " pairs that every block masks leak";
  }
  bool leaksInto(int t) const {
    const auto first = leaks_.lower_bound({t, 0});
    return first != leaks_.end() && first->first == t;
  }

  // Whether no path leads from a later token.
  bool isTriangular(Stream stream) const {
    return stream == Stream::Text && picture_.config.causal() &&
           !mayLookAhead(picture_.input.workspace.interventions);
  }
  bool hasHeadings() const { return streams_.size() > 1; }

  float labelDepth() const {
    return std::clamp(std::ceil((picture_.widestLabel() + 16) / 8) * 8, 56.0f, 104.0f);
  }

  // The source's tokens and the text's side by side, in square cells or as high as labels need. Returns where
  // they end.
  float addMatrices(Box area, float depth) {
    int columns = 0;
    for (const Stream stream : streams_) columns += picture_.count(stream);
    const float gaps = influenceGap * static_cast<float>(streams_.size() - 1);
    const float most = std::min(largestInfluenceCell, area.height / static_cast<float>(rows_));
    const float width =
        std::min(2 * most, std::min(largestInfluenceCell, (area.width - gaps) / static_cast<float>(columns)));
    height_ = std::min(most, std::max(width, labelledRow)) * static_cast<float>(rows_);
    float x = area.x;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      const Box box{x, area.y, width * static_cast<float>(picture_.count(streams_[i])), height_};
      addMatrix(box, i, depth);
      x = box.right() + influenceGap;
    }
    return x - influenceGap;
  }

  void addMatrix(const Box& box, std::size_t i, float depth) {
    const Stream stream = streams_[i];
    const int columns = picture_.count(stream);
    if (hasHeadings())
      addText(picture_.scene, {box.x, box.y - depth - influenceMatrixHeadingHeight / 2},
              stream == Stream::Source ? "source" : "target", theme_.strong())
          .maxWidth = box.width;
    Matrix matrix;
    matrix.box = box, matrix.values = all_[i];
    matrix.map = scale_.map, matrix.range = scale_.range;
    matrix.gaps = picture_.input.snapshot.isDifference();
    if (showsLeaks_)
      matrix.mask = silent_;
    else if (isTriangular(stream))
      matrix.mask = AttentionMask{MaskKind::Causal, 0, {}};
    picture_.scene.add(matrix);
    if (matrix.mask)
      addMaskHatch(picture_.scene, box, columns, 0, 0, *matrix.mask, mix(theme_.line, theme_.quiet, 0.15f));
    picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addMarks(box, i);
    if (i == 0)
      addLabels(picture_.scene, picture_.input,
                {box, Side::Left, rows_, depth, [&](int t) { return picture_.input.label(t); },
                 [&](int t) { return isStrongRow(t) || leaksInto(t); }});
    AxisLabels top{box, Side::Top, columns, depth};
    top.label = [&](int s) { return picture_.input.label(s, stream); };
    top.strong = [&](int s) { return picture_.isPointed(s, stream); };
    addLabels(picture_.scene, picture_.input, top);
    addHit(box, i);
  }

  bool isStrongRow(int t) const {
    const Target& hover = picture_.input.hover;
    const bool pointed = hover.query != Target::none ? hover.query == t && hover.queries == Stream::Text
                                                     : picture_.isPointed(t, Stream::Text);
    return t == picture_.position || pointed;
  }

  // The selected row, and the row and column under the pointer.
  void addMarks(const Box& box, std::size_t i) {
    const Box chosen = box.cell(picture_.position, 0, rows_, 1);
    picture_.scene.add(
        Rect{{box.x - 4, chosen.y, 3, std::max(chosen.height, 2.0f)}, theme_.accent, {0, 0, 0, 0}, 0, 1});
    const Target& hover = picture_.input.hover;
    const int columns = picture_.count(streams_[i]);
    for (const auto& [t, s] : leaks_)
      addOutline(picture_.scene, box.cell(t, s, rows_, columns), theme_.broken, 2);
    for (int t = 0; t < rows_; ++t)
      if (const Box row = box.cell(t, 0, rows_, 1); leaksInto(t))
        picture_.scene.add(Rect{{box.x - 8, row.y, 3, row.height}, theme_.broken, {0, 0, 0, 0}, 0, 1});
    if (hover.cell.tensor == all_[i].tensor && hover.query >= 0 && hover.query < rows_ && hover.key >= 0 &&
        hover.key < columns)
      addOutline(picture_.scene, box.cell(hover.query, hover.key, rows_, columns), theme_.text, 1);
  }

  void addHit(const Box& box, std::size_t i) {
    const Stream stream = streams_[i];
    HitRegion& hit = addHitRegion(picture_.scene, box, all_[i],
                                  stream == Stream::Source ? "source influences" : "influences");
    hit.target.keys = stream;
    hit.rows = rows_, hit.columns = picture_.count(stream);
    hit.rowAxis = Axis::Query, hit.columnAxis = Axis::Key;
    hit.click = [](const Target& target) { return commands::selectQuery(target.query); };
    if (showsLeaks_)
      hit.say = [leaks = leaks_, tokens = labels(stream),
                 sources = picture_.scene.sources](const Target& target) {
        const bool isLeak = leaks.contains({target.query, target.key});
        return movedWords(tokens[static_cast<std::size_t>(target.query)],
                          tokens[static_cast<std::size_t>(target.key)],
                          valueOf(sources, target.cell).value_or(0), isLeak);
      };
    else
      hit.say = [predictions = predictions(), tokens = labels(stream),
                 sources = picture_.scene.sources](const Target& target) {
        return influenceWords(tokens[static_cast<std::size_t>(target.key)],
                              predictions[static_cast<std::size_t>(target.query)],
                              valueOf(sources, target.cell).value_or(0));
      };
  }

  std::vector<std::string> labels(Stream stream) const {
    std::vector<std::string> all;
    for (int i = 0; i < picture_.count(stream); ++i) all.push_back(picture_.quoted(i, stream));
    return all;
  }
  std::vector<std::string> predictions() const {
    const EntryLabels entry(picture_.input.snapshot, entries, 0);
    std::vector<std::string> all;
    for (int t = 0; t < rows_; ++t) all.push_back(picture_.prediction(entry({t}), t));
    return all;
  }

  void addLegend(const Box& box) {
    const Box scale{box.x, box.y, box.width, std::clamp(box.height - 40, 48.0f, 160.0f)};
    addColorScale(picture_.scene, picture_.input, scale, scale_.map, scale_.range);
    if (silent_ && !silent_->painted.empty())
      addMaskedLegend(picture_.scene, picture_.input, {scale.x - 1, scale.bottom() + 16}, "silent");
    if (rows_ > 1 && !showsLeaks_ && isTriangular(Stream::Text))
      addMaskedLegend(picture_.scene, picture_.input, {scale.x - 1, scale.bottom() + 16}, "no path");
  }

  // What is predicted in each row.
  void addAnswers(const Box& box) {
    const EntryLabels entry(picture_.input.snapshot, entries, 0);
    const float row = box.height / static_cast<float>(rows_);
    const int every = std::max(1, static_cast<int>(std::ceil((Theme::small + 3) / row)));
    addText(picture_.scene, {box.x + 8, box.y - 14}, "predicts", theme_.note()).maxWidth = box.width - 8;
    for (int t = 0; t < rows_; ++t) {
      if (every > 1 && (t % every != 0)) continue;
      addText(picture_.scene, {box.x + 8, box.cell(t, 0, rows_, 1).center().y}, entry({t}),
              {FontFace::Mono, Theme::small, isStrongRow(t) ? theme_.text : theme_.quiet})
          .maxWidth = box.width - 8;
    }
  }

  InfluencePicture& picture_;
  const Theme& theme_;
  bool showsLeaks_;
  std::vector<Stream> streams_;
  int rows_;
  std::optional<AttentionMask> silent_;  // of the pairs that every block masks, those that it keeps apart
  std::set<std::pair<int, int>> leaks_;  // the others, by query and key
  std::vector<TensorRef> all_;           // by stream
  Coloring scale_;
  float height_ = 0;
};

}  // namespace

void drawInfluenceMatrixPicture(InfluencePicture& picture, Box area) { MatrixBuilder(picture).draw(area); }

}  // namespace glassformer
