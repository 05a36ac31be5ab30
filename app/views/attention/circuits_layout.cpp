#include "app/views/attention/circuits_layout.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/corpus_choices.h"
#include "app/scene/format.h"
#include "app/views/attention/circuit_parts.h"
#include "app/views/attention/hypothesis_parts.h"
#include "core/lens/head_circuits.h"

namespace glassformer {

namespace {

constexpr float circuitTitle = 28, circuitNote = 22, spectrumHeight = 56, leastCircuits = 400,
                narrowCircuits = 720, mapsBelow = 224, blocksBeside = 32;

class CircuitsPicture {
 public:
  explicit CircuitsPicture(AttentionView& view)
      : view_(view), scene_(view.scene), input_(view.input), theme_(view.theme) {}

  void draw(Box area) {
    addHeader(view_, area, "W_QK = W_Q W_Kᵀ / √K, W_OV = W_V W_O",
              "Circuits of head " + nameOf(view_.selected),
              {corpusChoices(input_),
               {{"Biography", "all that is known of this head", false,
                 commands::choosePicture("attention", "biography")}}});
    area.takeTop(8);
    if (!scene_.sources.contains(circuit::qk)) return addHypothesisWaiting(view_, area);
    const std::string asked = formattedFixed(number({circuit::asked, {0}}), 0);
    addText(scene_, {area.x, area.takeTop(24).y + 10},
            "Tokens alone, without positions and without what earlier blocks add; of " + asked + " tokens.",
            theme_.note())
        .maxWidth = area.width;
    const bool isNarrow = area.width < narrowCircuits;
    area.height = std::max(area.height, isNarrow ? leastCircuits + mapsBelow : leastCircuits);
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    const Box heads = isNarrow ? area.takeBottom(mapsBelow) : area.takeRight(area.width / 3 - 8);
    area.takeRight(isNarrow ? 0 : 24);
    addReading(area.takeLeft((area.width - 24) / 2));
    area.takeLeft(24);
    addWriting(area);
    addComposing(heads, isNarrow);
  }

 private:
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }

  void addHeadline(Box& area, const std::string& words) {
    const Box line = area.takeTop(circuitTitle);
    addText(scene_, {line.x, line.y + 12}, words, theme_.strong()).maxWidth = line.width;
  }
  // What is said of a number that has a name, to be pointed at.
  void addNote(Box& area, const std::string& words, const TensorRef& value) {
    const Box line = area.takeTop(circuitNote);
    Text& text =
        addText(scene_, {line.x, line.center().y}, words + " " + formatted(number(value)), theme_.note());
    text.maxWidth = line.width, text.value = value;
    HitRegion hit;
    hit.box = line, hit.target.cell = value, hit.name = value.tensor, hit.tabStop = false;
    scene_.hits.push_back(std::move(hit));
  }

  void addReading(Box area) {
    addHeadline(area, "What its queries look for");
    addSpectrum(area, circuit::qk, "W_QK");
    addNote(area, "every token for itself:", {circuit::matching, {0}});
    addPairs(area, comparedPairs, countOf(view_, comparedPairs));
  }

  void addWriting(Box area) {
    addHeadline(area, "What looking at a token does");
    addSpectrum(area, circuit::ov, "W_OV");
    addNote(area, "every token raises itself:", {circuit::copying, {0}});
    const int each = static_cast<int>(area.height / circuitRow) / 2;
    addPairs(area, promotedPairs, each);
    addPairs(area, suppressedPairs, each);
  }

  void addPairs(Box& area, const CircuitPairs& pairs, int most) {
    for (int i = 0; i < std::min(most, countOf(view_, pairs)) && area.height >= circuitRow; ++i)
      addCircuitPair(view_, area.takeTop(circuitRow), pairs, i);
  }

  // The singular values one beside the other, the largest first.
  void addSpectrum(Box& area, const char* tensor, const char* of) {
    const Box bars = area.takeTop(spectrumHeight), words = area.takeTop(circuitNote);
    const TensorRef values{tensor, {0}, -1, 0};
    const int K = scene_.sources.find(tensor)->extent[0];
    const Range range{0, std::max(roundedUp(number({tensor, {0}})), 1e-6f)};
    scene_.add(Line{{{bars.x, bars.bottom()}, {bars.right(), bars.bottom()}}, theme_.line, 1, false});
    for (int k = 0; k < K; ++k) {
      const Box column = bars.cell(0, k, 1, K);
      scene_.add(Bar{column.inset(std::min(1.0f, column.width * 0.15f), 0),
                     {tensor, {k}},
                     range,
                     colorAt(ColorMap::Sequential, 0.7f, theme_.dark),
                     true,
                     1});
    }
    HitRegion hit;
    hit.box = bars, hit.target.cell = values, hit.columns = K, hit.name = tensor, hit.tabStop = false;
    scene_.hits.push_back(std::move(hit));
    addText(scene_, {words.x, words.center().y},
            std::string("singular values of ") + of + ", the largest " + formatted(number({tensor, {0}})),
            theme_.note())
        .maxWidth = words.width;
  }

  // A map of all heads for each way to work together.
  void addComposing(Box area, bool inARow) {
    addHeadline(area, "Which heads it works with");
    addNote(area, "1 is all that is written; by chance", {circuit::byChance, {0}});
    Range all{0, 0};
    for (const Composition& by : compositions())
      all = unionOf(all, rangeOf(scene_.sources, {by.tensor, {0, 0}, 0, 1}));
    scale_ = {0, std::max(roundedUp(all.high), 1e-3f)};
    area.takeTop(4);
    Box scale = area.takeRight(56);
    const int count = static_cast<int>(compositions().size());
    for (int i = 0; i < count; ++i)
      addMap(inARow ? area.cell(0, i, 1, count) : area.cell(i, 0, count, 1),
             compositions()[static_cast<std::size_t>(i)]);
    addColorScale(scene_, input_, {scale.x + 12, scale.y + circuitNote, scale.width - 12, 140},
                  ColorMap::Sequential, scale_);
  }

  void addMap(Box area, const Composition& by) {
    const Box title = area.takeTop(circuitNote);
    addText(scene_, {title.x, title.center().y}, by.words, theme_.note()).maxWidth = title.width;
    area.takeLeft(blocksBeside), area.takeTop(20), area.takeBottom(8);
    const int L = view_.config.layers, H = view_.config.heads;
    Matrix matrix;
    matrix.box = area, matrix.values = {by.tensor, {0, 0}, 0, 1};
    matrix.range = scale_, matrix.gaps = true;  // its own block
    const float cell = std::min(area.height / static_cast<float>(L), 32.0f);
    matrix.box.height = cell * static_cast<float>(L);
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small, 11);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line, 0, 1});
    addLabels(scene_, input_,
              {matrix.box, Side::Left, L, blocksBeside - 8, [](int i) { return "L" + std::to_string(i); },
               [&](int i) { return i == view_.selected.layer; }, FontFace::Ui});
    addLabels(scene_, input_,
              {matrix.box, Side::Top, H, 18, [](int i) { return std::to_string(i); },
               [](int) { return false; }, FontFace::Ui, Theme::small, true});
    addMapHit(matrix, by, L, H);
  }

  void addMapHit(const Matrix& matrix, const Composition& by, int L, int H) {
    HitRegion hit;
    hit.box = matrix.box, hit.target.cell = matrix.values, hit.rows = L, hit.columns = H;
    hit.rowAxis = Axis::Layer, hit.columnAxis = Axis::Head;
    std::vector<std::string> words;
    for (int layer = 0; layer < L; ++layer)
      for (int head = 0; head < H; ++head) words.push_back(wordsOf(view_, by, {layer, head, view_.site}));
    hit.say = [words, H, own = view_.selected.layer](const Target& target) {
      const auto [layer, head] = std::pair(target.cell.index[0], target.cell.index[1]);
      if (layer == own) return std::string("heads of one block do not read each other");
      return words[static_cast<std::size_t>(layer * H + head)] + "; a click goes to that head";
    };
    hit.click = [site = view_.site](const Target& target) {
      return commands::selectHead({target.cell.index[0], target.cell.index[1], site});
    };
    hit.name = std::string("composed by ") + by.name;
    scene_.hits.push_back(std::move(hit));
  }

  AttentionView& view_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  Range scale_;
};

}  // namespace

void drawCircuitsLayout(AttentionView& view, Box area) { CircuitsPicture(view).draw(area); }

}  // namespace glassformer
