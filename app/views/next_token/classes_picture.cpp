#include "app/views/next_token/classes_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/scene/bar_table.h"
#include "app/scene/format.h"
#include "app/views/next_token/next_token_picture.h"
#include "core/lens/class_probabilities.h"
#include "core/model/head.h"

namespace glassformer {

namespace {

constexpr float classBar = 64, leastClassRow = 18, classLabels = 120, classNumber = 64, classScale = 88,
                classTokens = 72, classNamesHeight = 24;

class ClassesPicture {
 public:
  explicit ClassesPicture(const SceneInput& input)
      : picture_(input),
        scene_(picture_.scene),
        theme_(picture_.theme),
        first_(picture_.window.firstKey),
        columns_(picture_.window.count) {
    scale_ = coloring(input, {{classProbability, {}, 0, 1, -1, -1}}, {ColorMap::Sequential, {0, 1}});
  }

  Scene drawn() {
    Box area = contentOf(picture_.input, scene_.size);
    const SceneInput& input = picture_.input;
    const bool isMean = input.config().pooling == Pooling::Mean, seesAll = !input.config().causal();
    addNextTokenHeader(
        picture_, area,
        (isDifference() ? "Change of classes at " : "Classes at ") + picture_.quoted(input.query()),
        std::string("a head of their own reads ") +
            (!isMean   ? "the selected token's final vector"
             : seesAll ? "the mean of all final vectors"
                       : "the mean of the final vectors up to the selected token"));
    choose(area.height);
    const float height = std::clamp((area.height - 2 * classNamesHeight - classTokens - 24) / (2.0f * rows()),
                                    leastClassRow, classBar);
    area.takeTop(4);
    addBars(area.takeTop(classNamesHeight + height * rows()), height);
    area.takeTop(24);
    addText(scene_, {area.x, area.takeTop(classNamesHeight).center().y}, "by the text up to each token",
            theme_.note());
    area.takeTop(classTokens);
    addOverText({area.x + classLabels, area.y, area.width - classLabels - classScale, height * rows()});
    return std::move(scene_);
  }

 private:
  bool isDifference() const { return picture_.input.snapshot.isDifference(); }
  float rows() const { return static_cast<float>(classes_.size()); }
  float value(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }
  TensorRef logit(int c) const { return {classLogits, {picture_.input.query(), c}}; }
  TensorRef probability(int c) const { return {classProbability, {picture_.input.query(), c}}; }
  std::string name(int c) const { return picture_.input.entryLabel(picture_.input.config().firstClass + c); }

  // All of them in their order, or the likeliest that there is room for.
  void choose(float height) {
    const int all = scene_.sources.find(classLogits)->extent[1];
    const auto fitting = static_cast<std::size_t>(
        std::max(2.0f, (height - 2 * classNamesHeight - classTokens - 32) / (2 * leastClassRow)));
    for (int c = 0; c < all; ++c) classes_.push_back(c);
    if (classes_.size() <= fitting) return;
    const auto size = [&](int c) { return std::abs(value(probability(c))); };
    std::ranges::stable_sort(classes_, [&](int a, int b) { return size(a) > size(b); });
    classes_.resize(fitting);
  }

  void addBars(Box area, float height) {
    const float bar = (area.width - classLabels - 2 * classNumber - 40) / 2;
    const float logits = area.x + classLabels, bars = logits + bar + classNumber + 40;
    const Box names = area.takeTop(classNamesHeight);
    const std::string delta = isDifference() ? "Δ " : "";
    addText(scene_, {logits, names.y + 8}, delta + "logit u_C = " + (isMean() ? "n_m" : "n") + " · W_Cᵀ",
            theme_.note())
        .maxWidth = bar + classNumber;
    addText(scene_, {bars, names.y + 8}, delta + "p = softmax(u_C)", theme_.note()).maxWidth =
        bar + classNumber;
    Range range{0, 1e-6f};
    for (const int c : classes_) range = unionOf(range, {value(logit(c)), value(logit(c))});
    for (const int c : classes_) {
      const Box row = area.takeTop(height);
      const bool pointed = picture_.input.hover.entry == entry(c);
      if (pointed) scene_.add(Rect{row, theme_.raised, {0, 0, 0, 0}, 4});
      addClassName(row, c, pointed);
      const float width = bar + classNumber, thick = row.height * 0.6f;
      addBar(scene_, picture_.input, {isDifference() ? symmetric(range) : range, 0, classNumber, thick},
             {{logits, row.y, width, row.height}, logit(c), "", mix(theme_.ground, theme_.quiet, 0.7f)});
      addBar(scene_, picture_.input,
             {isDifference() ? Range{-1, 1} : Range{0, 1}, 0, classNumber, thick, formattedPercent},
             {{bars, row.y, width, row.height}, probability(c)});
      addHit({row.x, row.y, bars - row.x - 8, row.height}, logit(c),
             "the logit of the class “" + name(c) + "”", "logit of class " + name(c), c);
      addHit({bars, row.y, row.right() - bars, row.height}, probability(c), "the class “" + name(c) + "”",
             "class " + name(c), c);
    }
  }
  bool isMean() const { return picture_.input.config().pooling == Pooling::Mean; }
  int entry(int c) const { return picture_.input.config().firstClass + c; }

  void addClassName(const Box& row, int c, bool pointed) {
    addText(scene_, {row.x + classLabels - 12, row.center().y}, name(c),
            {FontFace::Mono, Theme::small, pointed ? theme_.text : theme_.quiet}, Align::End)
        .maxWidth = classLabels - 16;
  }

  // A row a class, a column a token.
  void addOverText(const Box& box) {
    const int count = static_cast<int>(classes_.size());
    for (int i = 0; i < count; ++i) {
      const int c = classes_[static_cast<std::size_t>(i)];
      const Box row = box.cell(i, 0, count, 1);
      Matrix cells;
      cells.box = row, cells.values = {classProbability, {first_, c}, -1, 0, -1, columns_};
      cells.map = scale_.map, cells.range = scale_.range;
      scene_.add(cells);
      addClassName({box.x - classLabels, row.y, classLabels, row.height}, c,
                   picture_.input.hover.entry == entry(c));
      addRowHit(row, c);
    }
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line});
    const auto strong = [&](int i) {
      return first_ + i == picture_.input.query() || picture_.input.hover.touches(first_ + i);
    };
    addLabels(scene_, picture_.input,
              {box, Side::Top, columns_, classTokens, [&](int i) { return picture_.input.label(first_ + i); },
               strong});
    if (const int t = picture_.input.query(); t >= first_ && t < first_ + columns_)
      addOutline(scene_, box.cell(0, t - first_, 1, columns_), theme_.accent, 2);
    addColorScale(scene_, picture_.input,
                  {box.right() + 16, box.y, classScale, std::clamp(box.height, 48.0f, 160.0f)}, scale_.map,
                  scale_.range);
    addTextMark(picture_, box, true);
  }

  void addRowHit(const Box& box, int c) {
    HitRegion& hit =
        addHitRegion(scene_, box, {classProbability, {0, c}, -1, 0, -1, -1}, "over the text " + name(c));
    hit.target.entry = entry(c);
    hit.rows = 1, hit.columns = columns_;
    hit.firstColumn = first_;
    hit.columnAxis = Axis::Token;
    hit.target.text = "the class “" + name(c) + "” by the text up to here";
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    addTextZoom(picture_, hit, true);
  }

  void addHit(const Box& box, const TensorRef& cell, const std::string& text, const std::string& called,
              int c) {
    HitRegion& hit = addHitRegion(scene_, box, cell, called);
    hit.target.text = text;
    hit.target.token = picture_.input.query(), hit.target.entry = entry(c);
  }

  NextTokenPicture picture_;
  Scene& scene_;
  const Theme& theme_;
  int first_, columns_;
  Coloring scale_;
  std::vector<int> classes_;
};

void measureClasses(const MeasuredPass& pass, const StartJob&, TensorSet& set) {
  measureClassProbabilities(pass.trace, set);
}

std::optional<std::vector<std::string>> readClasses(const Workspace&, const ModelConfig& config) {
  return config.hasClassHead() ? std::vector<std::string>{classLogits} : std::vector<std::string>{};
}

}  // namespace

Scene classesScene(const SceneInput& input) {
  if (auto empty = withoutPrediction(input)) return std::move(*empty);
  if (!input.config().hasClassHead())
    return emptyScene(input, "No classification head",
                      input.snapshot.model->hasNoWeights()
                          ? "the file has no logits of classes"
                          : "this model has no classifier; set *Labels* in the architecture (Shift+M)");
  if (!input.sources().contains(classProbability))
    return emptyScene(input, "Classifier", waitingWords(input));
  return ClassesPicture(input).drawn();
}

namespace needs {
const Need classProbabilities{
    .name = "probabilities of classes", .onPass = measureClasses, .points = readClasses};
}  // namespace needs

}  // namespace glassformer
