#include "app/scene/residual_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/scene/format.h"
#include "app/scene/parts.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

constexpr float scaleWidth = 72, gap = 24;
constexpr float namedHalf = 15;  // pixels a half-layer needs to be named
const char* const norms = "lens.residual_norm";

// "after attention of block 2"
std::string placeName(int place) {
  if (place == 0) return "after the embedding";
  return std::string("after ") + (place % 2 == 1 ? "attention" : "the MLP") + " of block " +
         std::to_string((place - 1) / 2);
}

class ResidualBuilder {
 public:
  explicit ResidualBuilder(const SceneInput& input)
      : input_(input),
        theme_(input.theme),
        count_(input.tokenCount()),
        layers_(input.snapshot.config->layers),
        places_(residualPlaces(layers_)),
        shown_(input.query()) {
    scene_.size = {std::max(input.size.x, 560.0f), std::max(input.size.y, 420.0f)};
    scene_.sources = input.sources();
    if (scene_.size.y >= 700 && scene_.size.x >= 1000 && count_ <= 16) labelSize_ = Theme::body;
    range_ = normRange();
    for (const int i : {input.hover.token, input.hover.query})
      if (i >= 0 && i < count_) pointed_ = i;
  }

  Scene build() {
    const float margin = scene_.size.x < 800 ? 16.0f : 24.0f;
    Box area = Box{0, 0, scene_.size.x, scene_.size.y}.inset(margin);
    addHeading(scene_, input_, area.takeTop(64), "Residual stream",
               "how long each token's vector is after each half of each block, on a logarithmic scale");
    const Box bars = area.takeRight(std::clamp(area.width * 0.32f, 190.0f, 420.0f));
    area.takeRight(gap);
    const float depth = labelDepth(area);
    area.takeLeft(depth), area.takeRight(scaleWidth);
    Box lines = area.takeTop(area.height * 0.44f);
    const Box axis = lines.takeBottom(lines.width / static_cast<float>(places_) < namedHalf ? 28 : 56);
    addLines(lines);
    addPlaces(axis);
    area.takeTop(8);
    area.height = std::min(area.height, 32.0f * static_cast<float>(count_));
    addHeatmap(area, depth);
    addBars(bars);
    return std::move(scene_);
  }

 private:
  // Norms grow by about the same factor from block to block, and the first token's often far beyond the rest:
  // on a logarithmic scale all of them can be told apart.
  Range normRange() const {
    float least = std::numeric_limits<float>::max(), greatest = 0;
    if (const auto cells = plane(scene_.sources, {norms, {}, 0, 1, -1, -1}))
      cells->forEach([&](const auto&, float norm) {
        if (!(norm > 0) || !std::isfinite(norm)) return;
        least = std::min(least, norm), greatest = std::max(greatest, norm);
      });
    if (!(greatest > 0)) return {0.5f, 1, true};
    return {std::min(roundedDown(least), greatest / 2), roundedUp(greatest), true};
  }

  float labelDepth(const Box& area) const {
    float widest = 0;
    for (int i = 0; i < count_; ++i)
      widest = std::max(widest, input_.metrics.width(input_.label(i), FontFace::Mono, labelSize_));
    return std::clamp(std::ceil((widest + 16) / 16) * 16, 64.0f, area.width < 500 ? 88.0f : 120.0f);
  }

  TensorRef lineOf(int token) const { return {norms, {0, token}, -1, 0, -1, -1}; }

  void addLines(const Box& box) {
    scene_.add(Rect{box, theme_.panel, theme_.line, 0, 1});
    addTicks(box);
    const float crowd = count_ > 40 ? 0.25f : 0.5f;
    for (int token = 0; token < count_; ++token)
      if (token != shown_ && token != pointed_)
        scene_.add(Curve{box, lineOf(token), range_, theme_.quiet.faded(crowd), 1.25f});
    if (pointed_ != Target::none && pointed_ != shown_)
      scene_.add(Curve{box, lineOf(pointed_), range_, theme_.text, 2});
    scene_.add(Curve{box, lineOf(shown_), range_, theme_.accent, 3});
    addLineHits(box);
  }

  // The ends of the axis, and 1, 2 and 5 times the powers of ten between them.
  void addTicks(const Box& box) {
    const TextStyle quiet{FontFace::Mono, Theme::small, theme_.quiet};
    addText(scene_, {box.x - 8, box.y + 7}, formattedShort(range_.high), quiet, Align::End);
    addText(scene_, {box.x - 8, box.bottom() - 7}, formattedShort(range_.low), quiet, Align::End);
    float last = box.bottom() - 7;
    for (float power = std::pow(10.0f, std::floor(std::log10(range_.low))); power < range_.high; power *= 10)
      for (const float tick : {power, 2 * power, 5 * power}) {
        const float y = box.bottom() - range_.fraction(tick) * box.height;
        if (y > last - 18 || y < box.y + 7 + 18) continue;
        scene_.add(Line{{{box.x, y}, {box.right(), y}}, theme_.line, 1, false});
        addText(scene_, {box.x - 8, y}, formattedShort(tick), quiet, Align::End);
        last = y;
      }
  }

  // Every spot over a place answers for the line that runs nearest.
  void addLineHits(const Box& box) {
    const auto cells = plane(scene_.sources, {norms, {}, 0, 1, -1, -1});
    if (!cells) return;
    const Curve scale{box, {}, range_, {}, 1};
    std::vector<int> order(static_cast<std::size_t>(count_));
    for (int place = 0; place < places_; ++place) {
      const auto height = [&](int token) {
        const float norm = (*cells)(place, token);
        return std::isfinite(norm) ? curvePoint(scale, place, places_, norm).y : box.bottom();
      };
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](int a, int b) { return height(a) < height(b); });
      const Box column = box.cell(0, place, 1, places_);
      float top = column.y;
      for (std::size_t i = 0; i < order.size(); ++i) {
        const float bottom =
            i + 1 < order.size() ? (height(order[i]) + height(order[i + 1])) / 2 : box.bottom();
        addLineHit({column.x, top, column.width, bottom - top}, place, order[i]);
        top = bottom;
      }
    }
  }

  void addLineHit(const Box& box, int place, int token) {
    HitRegion hit;
    hit.box = box;
    hit.target.cell = {norms, {place, token}, -1, -1, -1, -1};
    hit.target.token = token;
    hit.target.text = "“" + input_.label(token) + "” " + placeName(place);
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    scene_.hits.push_back(std::move(hit));
  }

  // Between both: which half of which block. Halves are named where there is room, turned where it is little.
  void addPlaces(const Box& box) {
    const float step = box.width / static_cast<float>(places_);
    for (int place = 0; place < places_ && step >= namedHalf; ++place)
      addHalf(box.cell(0, place, 1, places_), place);
    const TextStyle quiet{FontFace::Ui, Theme::small, theme_.quiet};
    const bool roomy =
        input_.metrics.width("Block " + std::to_string(layers_ - 1), FontFace::Ui, Theme::small) + 6 <
        2 * step;
    const int every = std::max(1, static_cast<int>(std::ceil(12 / step)));
    for (int layer = 0; layer < layers_; ++layer) {
      const float from = box.x + step * static_cast<float>(1 + 2 * layer);
      scene_.add(Line{{{from, box.y}, {from, box.bottom()}}, theme_.line, 1, false});
      if (layer % every == 0)
        addText(scene_, {from + step, box.bottom() - 9}, (roomy ? "Block " : "") + std::to_string(layer),
                quiet, Align::Middle);
    }
  }

  void addHalf(const Box& cell, int place) {
    const bool level = cell.width >= 44;
    const char* name = place == 0 ? "embed" : place % 2 == 0 ? "MLP" : cell.width < 64 ? "attn" : "attention";
    Text& text =
        addText(scene_, {cell.center().x, cell.y + (level ? 20.0f : 3.0f)}, name,
                {FontFace::Ui, level ? Theme::small : Theme::small - 1, theme_.quiet}, Align::Middle);
    text.upright = !level;
    if (!level) text.vertical = Align::End;
  }

  void addHeatmap(const Box& box, float depth) {
    Matrix matrix;
    matrix.box = box;
    matrix.values = {norms, {}, 1, 0, -1, -1};  // tokens down, places across as in the plot above
    matrix.range = range_;
    scene_.add(matrix);
    scene_.add(Rect{box, {0, 0, 0, 0}, theme_.line, 0, 1});
    const Box chosen = box.cell(shown_, 0, count_, 1);
    scene_.add(
        Rect{{box.x - 4, chosen.y, 3, std::max(chosen.height, 2.0f)}, theme_.accent, {0, 0, 0, 0}, 0, 1});
    if (pointed_ != Target::none)
      addOutline(scene_, box.cell(pointed_, 0, count_, 1), theme_.text.faded(0.6f), 1);
    const auto label = [&](int i) { return input_.label(i); };
    const auto strong = [&](int i) { return i == shown_ || i == pointed_; };
    addLabels(scene_, input_, {box, Side::Left, count_, depth, label, strong, FontFace::Mono, labelSize_});
    addColorScale(scene_, input_, {box.right() + 12, box.y, scaleWidth, std::min(box.height, 160.0f)},
                  matrix.map, matrix.range);
    HitRegion hit;
    hit.box = box;
    hit.target.cell = matrix.values;
    hit.rows = count_, hit.columns = places_;
    hit.rowAxis = Axis::Token;
    hit.columnAxis = Axis::None;
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    std::vector<std::string> labels;
    for (int i = 0; i < count_; ++i) labels.push_back(input_.label(i));
    hit.say = [labels](const Target& target) {
      return "“" + labels[static_cast<std::size_t>(target.token)] + "” " + placeName(target.cell.index[0]);
    };
    hit.name = "residual norms";
    scene_.hits.push_back(std::move(hit));
  }

  // Two bars per block, what attention adds and what the MLP adds, on one scale.
  void addBars(Box box) {
    const TextStyle strong{FontFace::Strong, Theme::small, theme_.text};
    addText(scene_, {box.x, box.y + 8}, "Added for “" + input_.label(shown_) + "”", strong).maxWidth =
        box.width;
    box.takeTop(20);
    addBarLegend(box.takeTop(28));
    const float row = std::min(160.0f, box.height / static_cast<float>(layers_));
    const float thick = std::min(36.0f, row * 0.36f);
    const bool numberless = thick < 14;
    const float label = box.width > 280 ? 60.0f : 24.0f;
    const auto most = [&](const char* tensor) {
      return rangeOf(scene_.sources, {tensor, {0, shown_}, 0, -1, -1, -1}).high;
    };
    const Range range{0, roundedUp(std::max(most("lens.attention_norm"), most("lens.mlp_norm")))};
    for (int layer = 0; layer < layers_; ++layer) {
      Box pair = box.takeTop(row);
      pair = pair.inset(0, (pair.height - 2 * thick) / 2);
      addText(scene_, {pair.x, pair.center().y}, (label > 24 ? "Block " : "") + std::to_string(layer),
              {FontFace::Ui, Theme::small, theme_.quiet});
      pair.takeLeft(label);
      addBar(pair.takeTop(thick), {"lens.attention_norm", layer, theme_.attention, "attention"}, range,
             numberless);
      addBar(pair, {"lens.mlp_norm", layer, theme_.feedForward, "the MLP"}, range, numberless);
    }
  }

  void addBarLegend(const Box& box) {
    float x = box.x;
    for (const auto& [name, color] :
         {std::pair{"attention", theme_.attention}, std::pair{"MLP", theme_.feedForward}}) {
      scene_.add(Rect{{x, box.y + 6, 10, 10}, color, {0, 0, 0, 0}, 2, 1});
      addText(scene_, {x + 16, box.y + 11}, name, {FontFace::Ui, Theme::small, theme_.quiet});
      x += 16 + input_.metrics.width(name, FontFace::Ui, Theme::small) + 20;
    }
  }

  struct Addition {
    const char* tensor;
    int layer;
    Rgba color;
    const char* by;
  };
  void addBar(const Box& box, const Addition& added, Range range, bool numberless) {
    const float numbers = numberless ? 0.0f : 52.0f;
    Bar bar;
    bar.track = {box.x, box.y + 1, box.width - numbers, box.height - 2};
    bar.value = {added.tensor, {added.layer, shown_}, -1, -1, -1, -1};
    bar.range = range;
    bar.color = added.color;
    scene_.add(bar);
    if (const auto value = valueOf(scene_.sources, bar.value); value && !numberless)
      addText(scene_, {box.right(), box.center().y}, formattedFixed(*value, 2),
              {FontFace::Mono, box.height > 24 ? labelSize_ : Theme::small, theme_.text}, Align::End)
          .value = bar.value;
    HitRegion hit;
    hit.box = box;
    hit.target.cell = bar.value;
    hit.target.layer = added.layer, hit.target.token = shown_;
    hit.target.text = std::string("what ") + added.by + " of block " + std::to_string(added.layer) +
                      " adds for “" + input_.label(shown_) + "”";
    hit.name = std::string(added.by) + " " + std::to_string(added.layer);
    scene_.hits.push_back(std::move(hit));
  }

  const SceneInput& input_;
  const Theme& theme_;
  int count_, layers_, places_;
  int shown_;                       // the selected token
  int pointed_ = Target::none;      // the token under the pointer
  float labelSize_ = Theme::small;  // larger where a large stage shows few tokens
  Range range_;
  Scene scene_;
};

}  // namespace

Scene residualScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.config)
    return emptyScene(input, "No forward pass yet",
                      input.snapshot.error.empty() ? "Write a text on the left." : input.snapshot.error);
  return ResidualBuilder(input).build();
}

}  // namespace glassformer
