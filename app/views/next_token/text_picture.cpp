#include "app/views/next_token/text_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"

namespace glassformer {

namespace {

const char *const tops = "lens.top_probability", *const surpriseName = "lens.surprise",
                  *const actual = "lens.actual_probability";
constexpr float titles = 28, textScaleWidth = 88, leastCell = 84, textRow = 17, textMostRow = 44;

class TextBuilder {
 public:
  explicit TextBuilder(const SceneInput& input)
      : picture_(input),
        theme_(input.theme),
        first_(picture_.window.firstKey),
        rows_(picture_.window.count),
        entries_(input.snapshot, "lens.top_token", 0) {
    const TensorRef p{tops, {}, 0, 1, -1, -1}, s{surpriseName, {}, 0, -1, -1, -1};
    scale_ = coloring(input, {p}, {ColorMap::Sequential, {0, 1}});
    length_ =
        coloring(input, {s}, {ColorMap::Sequential, {0, roundedUp(rangeOf(picture_.scene.sources, s).high)}})
            .range;
  }

  Scene build() {
    Box area = contentOf(picture_.input, picture_.scene.size);
    addNextTokenHeader(picture_, area, picture_.fills() ? "Mask predictions" : "Surprisal",
                       picture_.fills()
                           ? "Most probable tokens at every position; frames mark the actual token"
                           : "−ln p of each next token, in nats, and the most probable tokens");
    if (picture_.scene.sources.contains(tops)) {
      layOut(area);
      addTitles();
      if (!picture_.fills()) addBars();
      addExpected();
      addRowTexts();
      addHits();
      addTextMark(picture_, cells_, false);
    }
    return std::move(picture_.scene);
  }

 private:
  void layOut(Box area) {
    titles_ = area.takeTop(titles);
    const float depth = labelDepth();
    area.takeRight(textScaleWidth);
    area.height = std::min(area.height, textMostRow * static_cast<float>(rows_));
    tokens_ = area.takeLeft(depth);
    next_ = area.takeLeft(picture_.fills() ? 0 : depth);
    bars_ = area.takeLeft(picture_.fills() ? 0 : std::clamp(area.width * 0.14f, 56.0f, 160.0f));
    numbers_ = area.takeLeft(picture_.fills() ? 0 : 48);
    if (!picture_.fills()) area.takeLeft(16);
    const int listed = picture_.scene.sources.find(tops)->extent[1];
    ranks_ = std::clamp(static_cast<int>(area.width / leastCell), 1, listed);
    cells_ = area;
    rowHeight_ = cells_.height / static_cast<float>(rows_);
  }

  float labelDepth() const {
    const float widest = picture_.input.widestLabel(Stream::Text, Theme::small);
    return std::clamp(std::ceil((widest + 16) / 8) * 8, 56.0f, 112.0f);
  }
  bool hasTexts() const { return rowHeight_ >= textRow; }
  Box row(const Box& column, int i) const { return column.cell(i, 0, rows_, 1); }

  void addTitles() {
    const TextStyle quiet = theme_.note();
    const float y = titles_.y + 14;
    addText(picture_.scene, {tokens_.x, y}, picture_.fills() ? "at" : "after", quiet).maxWidth =
        tokens_.width - 8;
    if (!picture_.fills()) {
      if (hasTexts()) addText(picture_.scene, {next_.x, y}, "next", quiet).maxWidth = next_.width - 8;
      addText(picture_.scene, {numbers_.right(), y},
              numbers_.right() - bars_.x > 130 ? "surprisal in nats" : "surprisal", quiet, Align::End);
    }
    const bool wide = cells_.width / static_cast<float>(ranks_) >= 72;
    for (int rank = 0; rank < ranks_; ++rank)
      addText(picture_.scene, {cells_.cell(0, rank, 1, ranks_).x + 6, y},
              rank == 0 && wide ? "top token" : std::to_string(rank + 1) + ".", quiet);
  }

  TensorRef surpriseOf(int i) const { return {surpriseName, {first_ + i}}; }

  void addBars() {
    for (int i = 0; i < rows_; ++i) {
      const auto value = valueOf(picture_.scene.sources, surpriseOf(i));
      if (!value || !std::isfinite(*value)) continue;
      Bar bar;
      bar.track = row(bars_, i).inset(0, rowHeight_ * (hasTexts() ? 0.22f : 0));
      bar.value = surpriseOf(i), bar.range = length_;
      bar.color = mix(theme_.ground, theme_.quiet, 0.55f), bar.radius = hasTexts() ? 2.0f : 0.0f;
      picture_.scene.add(bar);
    }
  }

  void addExpected() {
    Matrix matrix;
    matrix.box = cells_;
    matrix.values = {tops, {first_, 0}, 0, 1, rows_, ranks_};
    matrix.map = scale_.map, matrix.range = scale_.range;
    picture_.scene.add(matrix);
    picture_.scene.add(Rect{cells_, {0, 0, 0, 0}, theme_.line, 0, 1});
    addColorScale(picture_.scene, picture_.input,
                  {cells_.right() + 16, cells_.y, textScaleWidth, std::min(cells_.height, 160.0f)},
                  matrix.map, matrix.range);
    if (hasTexts())
      for (int i = 0; i < rows_; ++i)
        for (int rank = 0; rank < ranks_; ++rank) addEntry(matrix, i, rank);
  }

  // The token of a cell; framed where it is the one that follows.
  void addEntry(const Matrix& matrix, int i, int rank) {
    const Box cell = cells_.cell(i, rank, rows_, ranks_);
    const TensorRef ref{tops, {first_ + i, rank}};
    const auto value = valueOf(picture_.scene.sources, ref);
    if (!value || !std::isfinite(*value)) return;
    const Rgba ink = inkOn(cellColor(matrix, *value, theme_.dark));
    const bool number = cell.width >= 110;
    addText(picture_.scene, {cell.x + 6, cell.center().y}, entries_({first_ + i, rank}),
            {FontFace::Mono, Theme::small, ink})
        .maxWidth = cell.width - (number ? 64.0f : 12.0f);
    if (number)
      addText(picture_.scene, {cell.right() - 6, cell.center().y}, formattedFixed(100 * *value, 1) + " %",
              {FontFace::Mono, Theme::small - 2, ink.faded(0.8f)}, Align::End)
          .value = ref;
    if (isNext(first_ + i, rank)) addOutline(picture_.scene, cell.inset(1.5f), ink, 1.5f);
  }

  // Whether the token listed there is what follows, or stands there. A difference has two texts, in which
  // other tokens may.
  bool isNext(int t, int rank) const {
    const int meant = picture_.fills() ? t : t + 1;
    if (picture_.input.snapshot.isDifference() || meant >= picture_.count) return false;
    const auto entry = valueOf(picture_.scene.sources, {"lens.top_token", {t, rank}});
    return entry && static_cast<int>(*entry) ==
                        picture_.input.snapshot.pass->tokens[static_cast<std::size_t>(meant)].id;
  }

  bool isStrong(int i) const {
    return first_ + i == picture_.input.query() || picture_.input.hover.touches(first_ + i);
  }

  void addRowTexts() {
    const auto label = [&](int i) { return picture_.input.label(first_ + i); };
    AxisLabels labels{{next_.x, next_.y, 1, next_.height}, Side::Left,    rows_, tokens_.width, label,
                      [&](int i) { return isStrong(i); },  FontFace::Mono};
    addLabels(picture_.scene, picture_.input, labels);
    const int chosen = picture_.input.query() - first_;
    if (chosen >= 0 && chosen < rows_) {
      const Box box = row(tokens_, chosen);
      picture_.scene.add(
          Rect{{box.x - 6, box.y, 3, std::max(box.height, 2.0f)}, theme_.accent, {0, 0, 0, 0}, 0, 1});
    }
    if (!hasTexts() || picture_.fills()) return;
    for (int i = 0; i < rows_; ++i) {
      const float y = row(next_, i).center().y;
      if (const int next = first_ + i + 1; next < picture_.count)
        addText(picture_.scene, {next_.x, y}, picture_.input.label(next),
                {FontFace::Mono, Theme::small, isStrong(i) ? theme_.text : theme_.quiet})
            .maxWidth = next_.width - 8;
      if (const auto value = valueOf(picture_.scene.sources, surpriseOf(i)); value && std::isfinite(*value))
        addText(picture_.scene, {numbers_.right(), y}, formattedFixed(*value, 2), theme_.mono(), Align::End)
            .value = surpriseOf(i);
    }
  }

  void addHits() {
    HitRegion hit;
    hit.box = {tokens_.x, tokens_.y, numbers_.right() - tokens_.x, tokens_.height};
    hit.target.cell = {surpriseName, {}, 0, -1, -1, -1};
    hit.rows = rows_, hit.firstRow = first_;
    hit.rowAxis = Axis::Token;
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    hit.say = saySurprise();
    hit.name = "surprise";
    addTextZoom(picture_, hit, false);
    HitRegion cells = hit;
    cells.box = cells_;
    cells.target.cell = {tops, {}, 0, 1, -1, -1};
    cells.columns = ranks_;
    cells.say = sayExpected();
    cells.name = "expected";
    if (!picture_.fills()) picture_.scene.hits.push_back(std::move(hit));
    picture_.scene.hits.push_back(std::move(cells));
  }

  std::vector<std::string> labels() const {
    std::vector<std::string> all;
    for (int i = 0; i < picture_.count; ++i) all.push_back(picture_.input.label(i));
    return all;
  }

  // "“cat” after “The”: p = 12.0 %, 2.120 nats = 3.059 bits"
  std::function<std::string(const Target&)> saySurprise() const {
    return [all = labels(), sources = picture_.scene.sources](const Target& target) {
      const auto t = static_cast<std::size_t>(target.token);
      if (t + 1 >= all.size()) return "no token follows “" + all[t] + "” yet";
      const std::string words =
          "“" + all[t + 1] + "” after “" + all[t] + "” (token " + std::to_string(t) + ")";
      const auto nats = valueOf(sources, {surpriseName, {target.token}}),
                 p = valueOf(sources, {actual, {target.token}});
      if (!nats || !p || !std::isfinite(*nats)) return words;
      return words + ", p = " + formattedPercent(*p) + "\n" + formatted(*nats) +
             " nats = " + formatted(*nats / std::log(2.0f)) + " bits";
    };
  }

  std::function<std::string(const Target&)> sayExpected() const {
    return [all = labels(), entries = entries_,
            place = picture_.fills() ? "” at “" : "” after “"](const Target& target) {
      const int rank = target.cell.index[1];
      return "“" + entries({target.token, rank}) + place + all[static_cast<std::size_t>(target.token)] +
             "”, " + (rank == 0 ? "the top token" : "number " + std::to_string(rank + 1));
    };
  }

  NextTokenPicture picture_;
  const Theme& theme_;
  int first_, rows_;  // the part of the text that is shown
  EntryLabels entries_;
  Coloring scale_;
  Range length_;
  Box titles_, tokens_, next_, bars_, numbers_, cells_;
  int ranks_ = 1;
  float rowHeight_ = 24;
};

}  // namespace

Scene nextTokenTextScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  return TextBuilder(input).build();
}

}  // namespace glassformer
