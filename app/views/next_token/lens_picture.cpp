#include "app/views/next_token/lens_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/lens_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/place_names.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"
#include "core/lens/lens_grid.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

// What its cells say: the tensors, and how.
struct LensWords {
  LensSays says;
  const char *label, *tip, *about;
  const char *token, *number;
  const char* said;  // “dog” after “The” ...
};
constexpr LensWords lensWords[]{
    {LensSays::Likeliest, "Top token", "Most probable token",
     "Most probable next token if the model stopped after this sublayer", lens_grid::token,
     lens_grid::probability, "if the model stopped after"},
    {LensSays::Promoted, "Promoted", "Token whose probability a sublayer raises most",
     "Token whose probability this sublayer raises most", lens_grid::promoted, lens_grid::promotion,
     "raised most by"},
    {LensSays::Suppressed, "Suppressed", "Token whose probability a sublayer lowers most",
     "Token whose probability this sublayer lowers most", lens_grid::suppressed, lens_grid::suppression,
     "lowered most by"}};

// Promoted and suppressed are each text's own tokens: there is no difference of them.
const LensWords& shownWords(const SceneInput& input) {
  const LensSays says =
      input.snapshot.isDifference() ? LensSays::Likeliest : lensSays(input.workspace.settings);
  return *std::ranges::find(lensWords, says, &LensWords::says);
}

constexpr float places = 72, lensScaleWidth = 88, tokens = 80, following = 24, lensMostRow = 64,
                saidWidth = 112, leastText = 30;

class LensBuilder {
 public:
  explicit LensBuilder(const SceneInput& input)
      : picture_(input),
        theme_(input.theme),
        first_(picture_.window.firstKey),
        columns_(picture_.window.count),
        shown_(shownWords(input)),
        firstPlace_(saysLikeliest() ? 0 : 1),
        rows_(static_cast<int>(residualPlaces(input.model()).size()) - firstPlace_),
        entries_(input.snapshot, shown_.token, 1) {
    const TensorRef all{shown_.number, {firstPlace_}, 0, 1, -1, -1};
    const Coloring plain = saysLikeliest()
                               ? Coloring{ColorMap::Sequential, {0, 1}}
                               : Coloring{ColorMap::Diverging, symmetric(rangeOf(input.sources(), all))};
    scale_ = coloring(input, {all}, plain);
  }

  Scene build() {
    Box area = contentOf(picture_.input, picture_.scene.size);
    addNextTokenHeader(picture_, area, "Logit lens", about(), choices());
    if (!picture_.scene.sources.contains(shown_.number)) {
      addText(picture_.scene, area.center(), waitingWords(picture_.input), theme_.note(), Align::Middle);
      return std::move(picture_.scene);
    }
    area.takeTop(tokens), area.takeLeft(places), area.takeRight(lensScaleWidth),
        area.takeBottom(following + 8);
    // Where columns are too narrow for words, those of one token stand beside the picture.
    const bool isNarrow = area.width < leastText * static_cast<float>(columns_);
    const Box beside = area.takeRight(isNarrow ? saidWidth : 0);
    area.height = std::min(area.height, lensMostRow * static_cast<float>(rows_));
    addGrid(area, beside.right());
    addAxes(area);
    if (isNarrow) addSaidBeside(area);
    addTextMark(picture_, area, true);
    return std::move(picture_.scene);
  }

 private:
  bool saysLikeliest() const { return shown_.says == LensSays::Likeliest; }

  std::string about() const {
    if (picture_.input.snapshot.isDifference())
      return "Most probable token after each sublayer, and the change of its probability";
    if (saysLikeliest() && picture_.fills())
      return "Most probable token at each position if the model stopped after this sublayer";
    return shown_.about;
  }

  std::vector<std::vector<Choice>> choices() const {
    if (picture_.input.snapshot.isDifference()) return {};
    std::vector<Choice> all;
    for (const LensWords& each : lensWords)
      all.push_back({each.label, each.tip, each.says == shown_.says,
                     commands::choose(lensSaysChoice, choiceOf(each.says))});
    return {all};
  }

  void addGrid(const Box& box, float scaleLeft) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = {shown_.number, {firstPlace_, first_}, 0, 1, -1, columns_};
    matrix.map = scale_.map, matrix.range = scale_.range;
    picture_.scene.add(matrix);
    picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    const Box cell = box.cell(0, 0, rows_, columns_);
    if (cell.width >= leastText && cell.height >= Theme::small + 2)
      for (int row = 0; row < rows_; ++row)
        for (int i = 0; i < columns_; ++i)
          addEntry(matrix, box.cell(row, i, rows_, columns_), firstPlace_ + row, i);
    const auto mark = [&](int t, Rgba color, float width) {
      if (t >= first_ && t < first_ + columns_)
        addOutline(picture_.scene, box.cell(0, t - first_, 1, columns_), color, width);
    };
    for (const int t : {picture_.input.hover.token, picture_.input.hover.query})
      mark(t, theme_.text.faded(0.6f), 1);
    mark(picture_.input.query(), theme_.accent, 2);
    addColorScale(picture_.scene, picture_.input,
                  {scaleLeft + 16, box.y, lensScaleWidth, std::min(box.height, 160.0f)}, matrix.map,
                  matrix.range);
    addHit(box);
  }

  void addEntry(const Matrix& matrix, const Box& cell, int place, int i) {
    const auto value = valueOf(picture_.scene.sources, {shown_.number, {place, first_ + i}});
    if (!value || !std::isfinite(*value)) return;
    addText(picture_.scene, cell.center(), entries_({place, first_ + i}),
            {FontFace::Mono, Theme::small - 1, inkOn(cellColor(matrix, *value, theme_.dark))}, Align::Middle)
        .maxWidth = cell.width - 4;
  }

  // What each place says behind the token that is pointed at, or else behind the selected one.
  void addSaidBeside(const Box& box) {
    if (box.height < static_cast<float>(rows_) * (Theme::small + 2)) return;
    const Target& hover = picture_.input.hover;
    const int pointed = hover.token != Target::none ? hover.token : hover.query;
    const int shown = pointed >= first_ && pointed < first_ + columns_ ? pointed : picture_.input.query();
    if (shown < 0 || shown >= picture_.count) return;
    const float left = box.right() + 12, width = saidWidth - 16;
    addText(picture_.scene, {left, box.y - 12},
            (picture_.fills() ? "at “" : "after “") + picture_.input.label(shown) + "”", theme_.note())
        .maxWidth = width;
    for (int row = 0; row < rows_; ++row)
      addText(picture_.scene, {left, box.cell(row, 0, rows_, 1).center().y},
              entries_({firstPlace_ + row, shown}), {FontFace::Mono, Theme::small, theme_.text})
          .maxWidth = width;
  }

  // Above, the tokens that are read; below, those that follow.
  void addAxes(const Box& box) {
    const auto strong = [&](int i) {
      return first_ + i == picture_.input.query() || picture_.input.hover.touches(first_ + i);
    };
    const auto none = [](int) { return false; };
    addLabels(
        picture_.scene, picture_.input,
        {box, Side::Top, columns_, tokens, [&](int i) { return picture_.input.label(first_ + i); }, strong});
    const auto label = [&](int row) { return placeLabel(picture_.input.config(), firstPlace_ + row); };
    addLabels(picture_.scene, picture_.input,
              {box, Side::Left, rows_, places, label, none, FontFace::Ui, Theme::small - 1});
    const float width = box.width / static_cast<float>(columns_), y = box.bottom() + following / 2 + 6;
    const TextStyle quiet{FontFace::Ui, Theme::small - 1, theme_.quiet};
    if (width < leastText || picture_.fills()) return;
    addText(picture_.scene, {box.x - 8, y}, "follows", quiet, Align::End);
    for (int i = 0; i < columns_ && first_ + i + 1 < picture_.count; ++i)
      addText(picture_.scene, {box.cell(0, i, 1, columns_).center().x, y},
              picture_.input.label(first_ + i + 1), {FontFace::Mono, Theme::small - 1, theme_.quiet},
              Align::Middle)
          .maxWidth = width - 4;
  }

  void addHit(const Box& box) {
    std::vector<std::string> all;
    for (int i = 0; i < picture_.count; ++i) all.push_back(picture_.input.label(i));
    HitRegion& hit = addHitRegion(picture_.scene, box, {shown_.number, {}, 0, 1, -1, -1}, "lens grid");
    hit.rows = rows_, hit.columns = columns_;
    hit.firstRow = firstPlace_, hit.firstColumn = first_;
    hit.columnAxis = Axis::Token;
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    hit.say = [all, entries = entries_, fills = !picture_.input.snapshot.model->continues(),
               config = picture_.input.config(), said = shown_.said](const Target& target) {
      const std::string entry = entries({target.cell.index[0], target.token}),
                        place = placeWords(config, target.cell.index[0]);
      return "“" + entry + (fills ? "” at “" : "” after “") + all[static_cast<std::size_t>(target.token)] +
             "”, " + said + " " + place;
    };
    addTextZoom(picture_, hit, true);
  }

  NextTokenPicture picture_;
  const Theme& theme_;
  int first_, columns_;
  const LensWords& shown_;
  int firstPlace_, rows_;  // nothing comes before the embedding, which promotes nothing
  EntryLabels entries_;
  Coloring scale_;
};

}  // namespace

Scene nextTokenLensScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  return LensBuilder(input).build();
}

}  // namespace glassformer
