#include "app/views/attention/circuits_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/chosen_number.h"
#include "app/document/circuit_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/corpus_choices.h"
#include "app/scene/format.h"
#include "app/views/attention/circuit_parts.h"
#include "app/views/attention/rule_parts.h"
#include "core/lens/equation_words.h"
#include "core/lens/head_circuits.h"

namespace glassformer {

namespace {

constexpr float circuitTitle = 28, circuitNote = 22, lowNote = 19, leastCircuits = 290, lowCircuits = 400,
                narrowCircuits = 720, lowRow = 20, moreWidth = 76, headlineWidth = 200, blocksBeside = 32;

class CircuitsPicture {
 public:
  explicit CircuitsPicture(AttentionPicture& picture)
      : picture_(picture), scene_(picture.scene), input_(picture.input), theme_(picture.theme) {}

  void draw(Box area) {
    addHeader(picture_, area,
              "W_QK = W_Q W_Kᵀ" + scaledWords(picture_.config, picture_.selected.layer) + ", W_OV = W_V W_O",
              "QK and OV circuits of " + nameOf(picture_.selected),
              {corpusChoices(input_),
               {{"Head profile", "Attention rules, loss recovered and training history of this head", false,
                 commands::choosePicture("attention", "biography")}}});
    area.takeTop(8);
    if (!scene_.sources.contains(circuit::ov)) return addRuleWaiting(picture_, area);
    addText(scene_, {area.x, area.takeTop(24).y + 10},
            "Token embeddings alone, without positions and earlier blocks; of " + askedWords() +
                (picture_.config.scoreCap > 0 ? "; scores before the cap." : "."),
            theme_.note())
        .maxWidth = area.width;
    area.height = std::max(area.height, leastCircuits);  // lower than that it scrolls
    scene_.size.y = std::max(scene_.size.y, area.bottom() + 16);
    const bool isBelow = area.width < narrowCircuits || area.height < lowCircuits;
    const bool isLow = isBelow && area.height < lowCircuits;
    row_ = isLow ? lowRow : circuitRow, note_ = isLow ? lowNote : circuitNote;
    const Box heads = isBelow ? area.takeBottom(std::clamp(area.height * 0.38f, 112.0f, 224.0f))
                              : area.takeRight(area.width / 3 - 8);
    area.takeRight(isBelow ? 0 : 24);
    spectrum_ = std::clamp(area.height * 0.16f, 30.0f, 56.0f);
    const float said = circuitTitle + spectrum_ + 2 * note_;
    rows_ = std::max(2, static_cast<int>((area.height - said) / row_) & ~1);
    takeUpFirst();
    addReading(area.takeLeft((area.width - 24) / 2));
    area.takeLeft(24);
    addWriting(area);
    addComposing(heads, isBelow);
  }

 private:
  float number(const TensorRef& ref) const { return valueOf(scene_.sources, ref).value_or(NAN); }

  std::string askedWords() const {
    const std::string asked = formattedFixed(number({circuit::asked, {0}}), 0);
    return picture_.site == AttentionSite::Cross
               ? asked + " tokens, and " + formattedFixed(number({circuit::askedKeys, {0}}), 0) +
                     " of sources"
               : asked + " tokens";
  }

  // The lists go on together, and end where the longest does.
  void takeUpFirst() {
    const int pairs =
        std::max({countOf(picture_, comparedPairs) - rows_, countOf(picture_, promotedPairs) - rows_ / 2,
                  countOf(picture_, suppressedPairs) - rows_ / 2});
    last_ = std::max(0, pairs);
    first_ = std::clamp(chosenNumber(input_.workspace.settings, firstCircuitPair, 0), 0, last_);
  }
  int firstOf(const CircuitPairs& pairs, int shown) const {
    return std::clamp(first_, 0, std::max(0, countOf(picture_, pairs) - shown));
  }
  static Command goTo(int first) {
    return commands::choose(firstCircuitPair, first <= 0 ? "" : std::to_string(first));
  }

  void addHeadline(Box& area, const std::string& words, float beside = 0) {
    const Box line = area.takeTop(circuitTitle);
    addText(scene_, {line.x, line.y + 12}, words, theme_.strong()).maxWidth = line.width - beside;
  }
  // "+ 18 more" at the right of a headline: a click goes on to the next, and from the last to the first.
  void addMore(const Box& line, const CircuitPairs& pairs, int shown) {
    const int left = countOf(picture_, pairs) - firstOf(pairs, shown) - shown;
    if (left <= 0 && first_ == 0) return;
    addText(scene_, {line.right(), line.y + 12},
            left > 0 ? "+ " + std::to_string(left) + " more" : "the first", theme_.note(), Align::End);
    HitRegion& hit = addHitRegion(scene_, {line.right() - moreWidth, line.y, moreWidth, 24}, {},
                                  std::string("more ") + pairs.number);
    hit.target.text =
        left > 0 ? "A click or the wheel shows the next ones" : "A click shows the strongest ones";
    hit.click = [first = left > 0 ? std::min(first_ + shown, last_) : 0](const Target&) {
      return goTo(first);
    };
  }
  // What is said of a number that has a name, to be pointed at.
  void addNote(Box& area, const std::string& words, const TensorRef& value) {
    const Box line = area.takeTop(note_);
    Text& text =
        addText(scene_, {line.x, line.center().y}, words + " " + formatted(number(value)), theme_.note());
    text.maxWidth = line.width, text.value = value;
    HitRegion& hit = addHitRegion(scene_, line, value, value.tensor);
    hit.tabStop = false;
  }

  void addReading(Box area) {
    const Box headline = area;
    addHeadline(area, "QK circuit: token pairs", moreWidth);
    addMore(headline, comparedPairs, rows_);
    if (const std::string why = whyNoComparingMatrix(picture_.config, picture_.site); why.empty())
      addSpectrum(area, circuit::qk, "W_QK");
    else
      addReason(area, why);
    if (!whyNoScoresOfTokens(picture_.config, picture_.site).empty()) return;
    if (picture_.site == AttentionSite::Cross)
      addText(scene_, {area.x, area.takeTop(note_).center().y}, "in the text “a” → in the source “b”",
              theme_.note())
          .maxWidth = area.width;
    else
      addNote(area, "every token for itself:", {circuit::matching, {0}});
    addPairs(area, comparedPairs, rows_);
  }

  void addWriting(Box area) {
    const Box headline = area;
    addHeadline(area, "OV circuit: tokens promoted", moreWidth);
    addMore(headline, promotedPairs, rows_ / 2);
    addSpectrum(area, circuit::ov, "W_OV");
    if (const std::string why = whyNoEffectsOnLogits(picture_.config, picture_.site); !why.empty())
      return addReason(area, why);
    addNote(area, "every token raises itself:", {circuit::copying, {0}});
    addPairs(area, promotedPairs, rows_ / 2);
    addPairs(area, suppressedPairs, rows_ / 2);
  }

  void addReason(Box& area, const std::string& why) {
    for (const std::string& line : wrapped(input_.metrics, why, FontFace::Ui, Theme::small, area.width))
      addText(scene_, {area.x, area.takeTop(note_).center().y}, line, theme_.note()).maxWidth = area.width;
  }

  void addPairs(Box& area, const CircuitPairs& pairs, int shown) {
    const int first = firstOf(pairs, shown), end = std::min(first + shown, countOf(picture_, pairs));
    for (int i = first; i < end; ++i) {
      addCircuitPair(picture_, area.takeTop(row_), pairs, i);
      if (last_ > 0)
        scene_.hits.back().zoom = [now = first_](float notches, Point) {
          return goTo(now - static_cast<int>(std::round(3 * notches)));
        };
    }
  }

  // The singular values one beside the other, the largest first.
  void addSpectrum(Box& area, const char* tensor, const char* of) {
    const Box bars = area.takeTop(spectrum_), words = area.takeTop(note_);
    const TensorRef values{tensor, {0}, -1, 0};
    const int K = scene_.sources.find(tensor)->extent[0];
    const Range range{0, std::max(roundedUp(number({tensor, {0}})), 1e-6f)};
    scene_.add(Line{{{bars.x, bars.bottom()}, {bars.right(), bars.bottom()}}, theme_.line});
    for (int k = 0; k < K; ++k) {
      const Box column = bars.cell(0, k, 1, K);
      scene_.add(Bar{column.inset(std::min(1.0f, column.width * 0.15f), 0),
                     {tensor, {k}},
                     range,
                     colorAt(ColorMap::Sequential, 0.7f, theme_.dark),
                     true,
                     1});
    }
    HitRegion& hit = addHitRegion(scene_, bars, values, tensor);
    hit.columns = K, hit.tabStop = false;
    addText(scene_, {words.x, words.center().y},
            std::string("singular values of ") + of + ", the largest " + formatted(number({tensor, {0}})),
            theme_.note())
        .maxWidth = words.width;
  }

  // A map of all heads for each way to work together.
  void addComposing(Box area, bool inARow) {
    Box note = area;
    addHeadline(area, "Composition with heads");
    if (inARow)  // beside the headline
      note.takeLeft(headlineWidth), note.takeTop(1), note = note.takeTop(circuitNote);
    else
      note = area.takeTop(circuitNote);
    addNote(note, "1: all of the output; unrelated heads", {circuit::byChance, {0}});
    Range all{0, 0};
    for (const Composition& by : compositions())
      all = unionOf(all, rangeOf(scene_.sources, {by.tensor, {0, 0}, 0, 1}));
    scale_ = {0, std::max(roundedUp(all.high), 1e-3f)};
    area.takeTop(inARow ? 0 : 4);
    const Box scale = area.takeRight(56);
    std::vector<const Composition*> told;
    for (const Composition& by : compositions())
      if (scene_.sources.contains(by.tensor)) told.push_back(&by);
    const int count = static_cast<int>(told.size());
    for (int i = 0; i < count; ++i)
      addMap(inARow ? area.cell(0, i, 1, count) : area.cell(i, 0, count, 1),
             *told[static_cast<std::size_t>(i)]);
    addColorScale(scene_, input_,
                  {scale.x + 12, scale.y + circuitNote, scale.width - 12,
                   std::min(140.0f, scale.height - circuitNote - 8)},
                  ColorMap::Sequential, scale_);
  }

  void addMap(Box area, const Composition& by) {
    const Box title = area.takeTop(circuitNote);
    const AttentionSite site = composedSite(picture_.config, picture_.site, by.tensor);
    const std::string of = site == picture_.site            ? ""
                           : site == AttentionSite::Encoder ? ", of the encoder"
                                                            : ", of the decoder";
    addText(scene_, {title.x, title.center().y}, by.words + of, theme_.note()).maxWidth = title.width;
    area.takeLeft(blocksBeside), area.takeTop(18), area.takeBottom(4), area.takeRight(8);
    const int L = blocksAt(picture_.config, site), H = picture_.config.heads;
    Matrix matrix;
    matrix.box = area, matrix.values = {by.tensor, {0, 0}, 0, 1};
    matrix.range = scale_, matrix.gaps = true;  // its own block
    const float cell = std::min(area.height / static_cast<float>(L), 32.0f);
    matrix.box.height = cell * static_cast<float>(L);
    scene_.add(matrix);
    addCellNumbers(scene_, input_, matrix, Theme::small, 11);
    scene_.add(Rect{matrix.box, {0, 0, 0, 0}, theme_.line});
    addLabels(scene_, input_,
              {matrix.box, Side::Left, L, blocksBeside - 8, [](int i) { return "L" + std::to_string(i); },
               [&](int i) { return i == picture_.selected.layer; }, FontFace::Ui});
    addLabels(scene_, input_,
              {matrix.box, Side::Top, H, 18, [](int i) { return std::to_string(i); },
               [](int) { return false; }, FontFace::Ui, Theme::small, true});
    addMapHit(matrix, by, site);
  }

  void addMapHit(const Matrix& matrix, const Composition& by, AttentionSite of) {
    const int L = blocksAt(picture_.config, of), H = picture_.config.heads;
    std::vector<std::string> words;
    for (int layer = 0; layer < L; ++layer)
      for (int head = 0; head < H; ++head) words.push_back(wordsOf(picture_, by, {layer, head, of}));
    HitRegion& hit = addHitRegion(scene_, matrix.box, matrix.values, std::string("composed by ") + by.name);
    hit.rows = L, hit.columns = H;
    hit.rowAxis = Axis::Layer, hit.columnAxis = Axis::Head;
    hit.say = [words, H, own = picture_.selected.layer, across = picture_.site == AttentionSite::Cross,
               isMemory = of == AttentionSite::Encoder](const Target& target) {
      const auto [layer, head] = std::pair(target.cell.index[0], target.cell.index[1]);
      if (!across && layer == own) return std::string("heads of one block do not read each other");
      if (across && !isMemory && layer > own) return std::string("Later block");
      return words[static_cast<std::size_t>(layer * H + head)] + "; click to select that head";
    };
    hit.click = [of](const Target& target) {
      return commands::selectHead({target.cell.index[0], target.cell.index[1], of});
    };
  }

  AttentionPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  Range scale_;
  float row_ = circuitRow, note_ = circuitNote, spectrum_ = 0;  // how high
  int rows_ = 0, first_ = 0, last_ = 0;  // pairs in a list, the first of them, and which may be it
};

}  // namespace

void drawCircuitsPicture(AttentionPicture& picture, Box area) { CircuitsPicture(picture).draw(area); }

}  // namespace glassformer
