#include "app/views/positions/shift_picture.h"

#include <algorithm>
#include <cmath>

#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/scene/plot.h"
#include "app/views/positions/pair_strip.h"
#include "core/lens/position_shift.h"
#include "core/lens/positions.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

void measureTaps(const PositionsSettings& settings, const ModelConfig& config,
                 const std::vector<PositionTap>& taps, TensorSet& set) {
  const std::string& table = encodingTable(settings.table).tensor;
  if (set.contains(table)) measurePositionShift(set[table], shownHands(settings, config), taps, set);
}

void measureShift(const Workspace& workspace, const ModelConfig& config, TensorSet& set) {
  const PositionsSettings& settings = workspace.settings.positions;
  measureTaps(settings, config, {{shownDistance(settings, measuredPositions(config)), 1}}, set);
}

void measureShifts(const Workspace& workspace, const ModelConfig& config, TensorSet& set) {
  const PositionsSettings& settings = workspace.settings.positions;
  measureTaps(settings, config, shownTaps(settings), set);
}

void readShift(const ViewSettings& from, ViewSettings& to) {
  to.positions.distance = from.positions.distance, to.positions.table = from.positions.table;
}
void readTaps(const ViewSettings& from, ViewSettings& to) {
  to.positions.taps = from.positions.taps, to.positions.table = from.positions.table;
}

Command setDistance(int distance) {
  return commands::changeSettings([=](ViewSettings& s) { s.positions.distance = std::max(distance, 1); });
}

Command setTap(int tap, float weight) {
  // Steps of a twentieth: what is set by hand can be said again.
  const float rounded = std::round(std::clamp(weight, -mostTap, mostTap) * 20) / 20;
  return commands::changeSettings(
      [=](ViewSettings& s) { s.positions.taps[static_cast<std::size_t>(tap)] = rounded; });
}

// Weights with a name.
struct NamedTaps {
  const char *label, *tip;
  TapWeights weights;
};
constexpr std::array namedTaps{
    NamedTaps{"¼ ½ ¼", "Mean around each position", usualTaps},
    NamedTaps{"½ before", "Half of the previous position, half of its own", {0, 0, 0.5f, 0.5f, 0, 0, 0}},
    NamedTaps{"−½ 0 ½", "Change of the encoding per position", {0, 0, -0.5f, 0, 0.5f, 0, 0}}};

class ShiftBuilder {
 public:
  ShiftBuilder(PositionsPicture& picture, bool isWeighted)
      : picture_(picture),
        theme_(picture.theme),
        isWeighted_(isWeighted),
        table_(encodingTable(picture.settings.table)),
        distance_(shownDistance(picture.settings, picture.context)),
        pair_(picture.hands.pairAt(picture.dimension)) {
    int first = 0, last = picture.context - 1;  // of the positions that have all shifted ones
    for (const PositionTap& tap : taps())
      first = std::max(first, -tap.distance), last = std::min(last, picture.context - 1 - tap.distance);
    isPossible_ = first <= last && picture.hands.pairs() > 0;
    position_ = std::clamp(picture.position, first, std::max(first, last));
  }

  void draw(Box area) {
    addHeader(area);
    if (!isPossible_ || !picture_.scene.sources.contains(positionShift::matrix)) {
      addText(
          picture_.scene, area.center(),
          isPossible_ ? waitingWords(picture_.input) : "The table has too few positions or columns to shift.",
          theme_.note(), Align::Middle)
          .maxWidth = area.width;
      return;
    }
    constexpr float least = 264;
    if (area.height < least) picture_.scene.size.y += least - area.height, area.height = least;
    const float plot = std::clamp(area.height * 0.26f, 84.0f, 200.0f),
                room = area.width - tickWidth - 3 * stripPitch - 24,
                side = std::max(std::min({area.height - plot - titleHeight - tickHeight - 12,
                                          room - leastNumbers, room * 0.55f}),
                                64.0f);
    Box left = area.takeLeft(tickWidth + side + 3 * stripPitch);
    addErrors(left.takeBottom(plot));
    left.takeTop(titleHeight), left.takeLeft(tickWidth);
    addMatrix({left.x, left.y, side, side});
    addStrips({left.x + side, left.y, 3 * stripPitch, side});
    area.takeLeft(24);
    area.width = std::min(area.width, 480.0f);
    addPairNumbers(area);
    isWeighted_ ? addTaps(area) : addDials(area);
  }

 private:
  static constexpr float titleHeight = 28, stripPitch = 48, stripWidth = 26, lineHeight = 22;
  static constexpr float leastNumbers = 252;  // the width of the pair's numbers

  std::vector<PositionTap> taps() const {
    return isWeighted_ ? shownTaps(picture_.settings) : std::vector<PositionTap>{{distance_, 1}};
  }
  std::string shiftedName() const {
    return isWeighted_ ? "Σ w p" : "p(" + std::to_string(position_ + distance_) + ")";
  }
  std::string positionWords() const { return "p(" + std::to_string(position_) + ")"; }
  std::string matrixWords() const { return isWeighted_ ? "W" : "R"; }

  void addHeader(Box& area) {
    std::vector<std::vector<Choice>> choices{tableChoices(picture_)};
    if (isWeighted_) {
      std::vector<Choice> named;
      for (const NamedTaps& each : namedTaps)
        named.push_back(
            {each.label, each.tip, picture_.settings.taps == each.weights,
             commands::changeSettings([w = each.weights](ViewSettings& s) { s.positions.taps = w; })});
      choices.insert(choices.begin(), named);
    }
    addPositionsHeader(picture_, area,
                       isWeighted_ ? "Σ w p(t + Δ) = W p(t), W = Σ w R(Δ): a convolution is one matrix"
                                   : "p(t + Δ) = R(Δ) p(t): a shift by Δ turns pair k by Δ / rᵏ, at every t",
                       choices);
  }

  void addMatrix(const Box& box) {
    const Matrix matrix = addTable(picture_, box, positionShift::matrix);
    addText(picture_.scene, {box.x, box.y - 14},
            isWeighted_ ? "W = Σ w R(Δ)" : "R(Δ), Δ = " + std::to_string(distance_), theme_.strong())
        .maxWidth = box.width;
    const int D = picture_.width;
    markPair(picture_, box, pair_, true), markPairOfRows(picture_, box, pair_, true);
    const auto strong = [&](int i) { return i == picture_.dimension; };
    addNumbers(picture_, box, Side::Left, D, tickWidth, strong);
    addNumbers(picture_, box, Side::Bottom, D, 24, strong);
    HitRegion& hit = addHitRegion(picture_.scene, box, matrix.values, "shift matrix");
    hit.rows = hit.columns = D;
    hit.columnAxis = Axis::Dimension;
    hit.click = [](const Target& target) { return commands::selectDimension(target.dimension); };
    if (!isWeighted_) {
      constexpr float perWidth = 24;  // positions for a drag through all of the matrix
      hit.pan = [d = distance_](Point by) { return setDistance(d + static_cast<int>(by.x * perWidth)); };
      hit.arrows = [d = distance_](int right, int down) { return setDistance(d + right - down); };
    }
  }

  // p(t), the matrix times it, and what that should be, each as a column.
  void addStrips(const Box& area) {
    const struct {
      const char* sign;
      std::string title, tensor;
    } strips[] = {{"·", positionWords(), table_.tensor},
                  {"=", matrixWords() + " p", positionShift::turned},
                  {"≈", shiftedName(), positionShift::moved}};
    Range range{0, 0};
    for (const auto& strip : strips)
      range = unionOf(range, rangeOf(picture_.scene.sources, columnOf(strip.tensor)));
    float x = area.x;
    for (const auto& strip : strips) {
      const Box box{x + stripPitch - stripWidth, area.y, stripWidth, area.height};
      addText(picture_.scene, {x + (stripPitch - stripWidth) / 2, box.center().y}, strip.sign,
              theme_.heading(), Align::Middle);
      addText(picture_.scene, {box.center().x, area.y - 14}, strip.title, theme_.quietMono(), Align::Middle)
          .maxWidth = stripPitch - 2;
      Matrix matrix;
      matrix.box = box;
      matrix.values = columnOf(strip.tensor);
      matrix.map = ColorMap::Diverging, matrix.range = symmetric(range);
      picture_.scene.add(matrix);
      picture_.scene.add(Rect{box, {0, 0, 0, 0}, theme_.line});
      markPairOfRows(picture_, box, pair_, true);
      HitRegion& hit = addHitRegion(picture_.scene, box, matrix.values, "column " + strip.tensor);
      hit.target.text = strip.title;
      hit.rows = picture_.width;
      hit.rowAxis = Axis::Dimension;
      hit.click = [](const Target& target) { return commands::selectDimension(target.dimension); };
      x += stripPitch;
    }
  }
  TensorRef columnOf(const std::string& tensor) const { return {tensor, {position_, 0}, 1, -1}; }

  // The chosen pair: its complex number, what that is multiplied with, and both results.
  void addPairNumbers(Box& area) {
    const Box title = area.takeTop(titleHeight);
    addText(picture_.scene, {title.x, title.y + 14}, "Pair k = " + std::to_string(pair_), theme_.strong());
    const std::string radius =
        "rᵏ = " + formattedShort(static_cast<float>(picture_.hands.positionsPerRadian(pair_)));
    addText(picture_.scene, {title.right(), title.y + 14}, radius, theme_.quietMono(), Align::End);
    const Box heads = area.takeTop(lineHeight - 2);
    const auto head = [&](float right, const char* text) {
      addText(picture_.scene, {right, heads.center().y}, text, theme_.note(), Align::End);
    };
    constexpr float name = 84, widest = 62;  // of the angle's column, and of others at most
    const float step = std::min(widest, (area.width - name - widest) / 2);
    const float sine = area.right() - widest, cosine = sine - step;
    head(cosine, "cos"), head(sine, "i sin"), head(area.right(), isWeighted_ ? "length" : "angle");
    const auto line = [&](const std::string& words, const TensorRef& im, const TensorRef& re) {
      const Box row = area.takeTop(lineHeight);
      addText(picture_.scene, {row.x, row.center().y}, words, theme_.mono()).maxWidth = cosine - 50 - row.x;
      const float y = valueOf(picture_.scene.sources, im).value_or(NAN),
                  x = valueOf(picture_.scene.sources, re).value_or(NAN);
      addPairNumber({cosine, row.center().y}, re, x), addPairNumber({sine, row.center().y}, im, y);
      addText(picture_.scene, {row.right(), row.center().y},
              isWeighted_ ? "‖" + formattedFixed(std::hypot(x, y), 2) + "‖" : angleWords(y, x),
              theme_.quietMono(), Align::End);
    };
    const auto inTable = [&](const std::string& tensor, bool isSine) {
      return TensorRef{tensor,
                       {position_, isSine ? picture_.hands.sine(pair_) : picture_.hands.cosine(pair_)}};
    };
    line(positionWords(), inTable(table_.tensor, true), inTable(table_.tensor, false));
    line(isWeighted_ ? "· Σ w e" : "· e^(iΔ/rᵏ)", {positionShift::factor, {pair_, 0}},
         {positionShift::factor, {pair_, 1}});
    line("= " + matrixWords() + " " + positionWords(), inTable(positionShift::turned, true),
         inTable(positionShift::turned, false));
    line("≈ " + shiftedName(), inTable(positionShift::moved, true), inTable(positionShift::moved, false));
    area.takeTop(8);
  }
  void addPairNumber(Point right, const TensorRef& cell, float value) {
    const std::string words = formattedFixed(value, 3);
    addText(picture_.scene, right, words, theme_.mono(), Align::End).value = cell;
    const float width = picture_.input.metrics.width(words, FontFace::Mono, Theme::small);
    HitRegion& hit = addHitRegion(picture_.scene, {right.x - width, right.y - 9, width, 18}, cell);
    hit.tabStop = false;
  }

  // As many pairs as there is room for, the chosen one first: p(t), and where Δ turns it.
  void addDials(const Box& area) {
    constexpr float wordsHeight = 20, widest = 160;
    std::vector<int> pairs{pair_};
    for (const int pair : shownPairs(picture_.settings, picture_.hands.width))
      if (pair != pair_) pairs.push_back(pair);
    // Two beside each other at least, else more.
    const float size = std::min({area.height - wordsHeight, widest, area.width / 2});
    if (size < 40) return;
    const auto count = std::min(pairs.size(), static_cast<std::size_t>(area.width / size));
    for (std::size_t i = 0; i < count; ++i) {
      const Box box{area.x + static_cast<float>(i) * area.width / static_cast<float>(count), area.y,
                    area.width / static_cast<float>(count), size};
      addDial(box, pairs[i], size / 2 - 4);
      const double turn = picture_.hands.angle(distance_, pairs[i]) * 57.29577951308232;
      addText(picture_.scene, {box.center().x, box.bottom() + 8},
              "+" + formattedFixed(static_cast<float>(turn), 1) + "°",
              i == 0 ? theme_.mono() : theme_.quietMono(), Align::Middle);
    }
  }

  void addDial(const Box& box, int pair, float radius) {
    const Point c = box.center();
    picture_.scene.add(Rect{{c.x - radius, c.y - radius, 2 * radius, 2 * radius},
                            theme_.panel,
                            pair == pair_ ? theme_.accent : theme_.line,
                            radius});
    const auto arrow = [&](const std::string& tensor, Rgba color, float width) {
      const int sine = picture_.hands.sine(pair), cosine = picture_.hands.cosine(pair);
      picture_.scene.add(
          Phasor{c, radius, {tensor, {position_, sine}, -1, 1, -1, cosine - sine + 1}, color, width});
    };
    arrow(table_.tensor, theme_.quiet, 1.5f);
    arrow(positionShift::moved, theme_.accent, 4);
    arrow(positionShift::turned, theme_.text, 1.5f);
    HitRegion& hit = addHitRegion(picture_.scene, {c.x - radius, c.y - radius, 2 * radius, 2 * radius}, {},
                                  "dial " + std::to_string(pair));
    hit.target.dimension = picture_.hands.sine(pair);
    hit.target.text = pairName(picture_, pair) + "\ngrey " + positionWords() + ", blue " + shiftedName() +
                      ", thin R(Δ) " + positionWords();
    hit.click = [](const Target& target) { return commands::selectDimension(target.dimension); };
  }

  // The filter: a weight for each Δ, to be dragged.
  void addTaps(Box area) {
    constexpr float highest = 240;
    area.height = std::min(area.height, highest);
    if (area.height < 60) return;
    const Box words = area.takeBottom(18);
    area.takeTop(8);
    const float zero = area.center().y;
    picture_.scene.add(Line{{{area.x, zero}, {area.right(), zero}}, theme_.line});
    for (int tap = 0; tap < tapCount; ++tap) {
      const Box column = area.cell(0, tap, 1, tapCount);
      const float weight = picture_.settings.taps[static_cast<std::size_t>(tap)];
      const float height = std::abs(weight) / mostTap * area.height / 2;
      if (weight != 0)
        picture_.scene.add(Rect{{column.x + 4, weight > 0 ? zero - height : zero, column.width - 8, height},
                                theme_.accent,
                                {0, 0, 0, 0},
                                2});
      const std::string distance =
          tap == farthestTap ? "0" : formattedShort(static_cast<float>(tap - farthestTap));
      addText(picture_.scene, {column.center().x, words.center().y},
              (tap > farthestTap ? "+" : "") + distance, weight != 0 ? theme_.mono() : theme_.quietMono(),
              Align::Middle);
      addTapHit(column, tap, weight, distance);
    }
  }
  void addTapHit(const Box& column, int tap, float weight, const std::string& distance) {
    HitRegion& hit = addHitRegion(picture_.scene, column, {}, "weight " + distance);
    hit.target.text = "w = " + formattedShort(weight) + " for Δ = " + distance +
                      "\ndrag or turn the wheel; double-click to remove it";
    hit.pan = [=](Point by) { return setTap(tap, weight - 2 * mostTap * by.y); };
    hit.zoom = [=](float notches, Point) { return setTap(tap, weight + 0.05f * notches); };
    hit.arrows = [=](int right, int down) {
      return setTap(tap, weight + 0.05f * static_cast<float>(right - down));
    };
    hit.reset = [=] { return setTap(tap, 0); };
  }

  // How far both sides are apart, over t.
  void addErrors(Box box) {
    constexpr float labels = 64;
    const Box title = box.takeTop(24);
    box.takeLeft(labels), box.takeBottom(tickHeight + 8);
    const TensorRef errors{positionShift::error, {0}, -1, 0, -1, -1}, most{positionShift::largest, {0}};
    const float largest = valueOf(picture_.scene.sources, most).value_or(NAN);
    const std::string apart = isWeighted_ ? "max |W p(t) − Σ w p(t + Δ)|" : "max |R(Δ) p(t) − p(t + Δ)|";
    const bool isLearned =
        picture_.settings.table == PositionTable::Model && picture_.config.positions->learnsTable();
    const std::string bounded = apart + " ≤ " + formatted(largest);
    Text& words = addText(picture_.scene, {title.x, title.y + 10},
                          wordingFor(title.width, picture_.input, theme_.strong(),
                                     {bounded + " at every t" + (isLearned ? ", learned" : ""),
                                      bounded + " at every t", bounded}),
                          theme_.strong());
    words.value = most, words.maxWidth = title.width;
    HitRegion ofMost;
    ofMost.box = {title.x, title.y, title.width, 20}, ofMost.target.cell = most,
    ofMost.name = "largest error";
    picture_.scene.hits.push_back(std::move(ofMost));
    const Range range{0, largest > 0 ? largest : 1e-7f};
    HitRegion& hit = addPlot(
        picture_.scene, picture_.input, {box, range, {{errors, theme_.attention}}, position_}, "shift errors",
        [names = picture_.positionNames()](int t) { return names[static_cast<std::size_t>(t)]; });
    hit.columnAxis = Axis::Token;
    hit.click = [](const Target& target) { return commands::selectQuery(target.token); };
    addNumbers(picture_, box, Side::Bottom, picture_.context, 48, [&](int t) { return t == position_; });
  }

  PositionsPicture& picture_;
  const Theme& theme_;
  bool isWeighted_, isPossible_ = false;
  const EncodingTable& table_;
  int distance_, pair_, position_ = 0;
};

}  // namespace

namespace needs {
const Need shiftOfPositions{.name = "shift of positions", .onModel = measureShift, .reads = readShift};
const Need shiftsOfPositions{
    .name = "weighted shifts of positions", .onModel = measureShifts, .reads = readTaps};
}  // namespace needs

void drawShiftPicture(PositionsPicture& picture, Box area) { ShiftBuilder(picture, false).draw(area); }
void drawWeightedShiftsPicture(PositionsPicture& picture, Box area) {
  ShiftBuilder(picture, true).draw(area);
}

}  // namespace glassformer
