#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/drawing/place_names.h"
#include "app/drawing/wording.h"
#include "app/views/steps/made_number.h"

namespace glassformer {

namespace {

constexpr float largestCell = 40, signGap = 8, edge = 20, leastThickness = 10, symbolHeight = 24,
                leastNumber = 11, leastEntry = 14, links = 56;
constexpr int mostColumns = 1024;  // of the result; more of them are shown around the chosen one

// Pixels per row, or per column, of all matrices of an equation: what counts the same is as long everywhere.
struct EquationUnits {
  float row = 1, column = 1, inner = 1, entry = 1;
  float vector = leastThickness;  // how thick one is, which has a single row or column

  float of(Along along) const {
    return along == Along::Row      ? row
           : along == Along::Column ? column
           : along == Along::Inner  ? inner
           : along == Along::Table  ? entry
                                    : vector;
  }
  EquationUnits atLeast(float least) const {
    const auto wide = [=](float unit) { return std::max(unit, least); };
    return {wide(row), wide(column), wide(inner), wide(entry), wide(vector)};
  }
  EquationUnits times(float scale) const {
    return {scale * row, scale * column, scale * inner, scale * entry, scale * vector};
  }
};

// The matrices of a step's equation side by side.
class EquationPicture {
 public:
  explicit EquationPicture(StepPicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        equation_(equationOf(picture.input, picture.step, picture.result)) {
    window();
    if (table()) equation_.result.sign.clear();  // lines lead there
    for (const StepOperand& operand : equation_.operands)
      if (operand.rows == Along::Inner || operand.columns == Along::Inner) {
        const auto cells = plane(scene_.sources, operand.plane);
        innerCount_ = cells->extent[operand.rows == Along::Inner ? 0 : 1];
      }
    rowCount_ = picture.cells.extent[0];
  }

  bool isEmpty() const { return equation_.operands.empty(); }

  void draw(Box area) {
    const bool sums = innerCount_ > 1;
    const bool curved = !equation_.function.empty();
    const Box made = area.takeBottom(!sums && !curved ? 88 : area.height > 480 ? 168 : 128);
    chooseEntries(area.height - edge - symbolHeight);
    tokens_ = std::min({table() ? 128.0f : 96.0f, area.width * 0.16f, widthOfTokens()});
    labels_ = table() ? widthOfEntries() : tokens_;
    measure(area);
    left_ = area.x + labels_;
    place_ = {left_, area.y + topLabels_};
    if (!equation_.function.empty()) addSign(equation_.function + " (");
    for (const StepOperand& operand : equation_.operands) addOperand(operand);
    if (!equation_.function.empty()) addSign(")");
    addOperand(equation_.result);
    if (table()) addLinks();
    drawMadeNumber(picture_, equation_, innerCount_, resultHits(made), made);
  }

 private:
  // Of a result with very many columns a part is shown.
  void window() {
    columnCount_ = std::min(picture_.cells.extent[1], mostColumns);
    if (columnCount_ == picture_.cells.extent[1]) return;
    const int first =
        std::clamp(picture_.column() - mostColumns / 2, 0, picture_.cells.extent[1] - mostColumns);
    for (StepOperand& operand : equation_.operands) windowed(operand, first);
    windowed(equation_.result, first);
  }
  void windowed(StepOperand& operand, int first) const {
    if (operand.plane.empty() || operand.columns != Along::Column) return;
    operand.plane.index[static_cast<std::size_t>(operand.plane.columnDimension)] += first;
    operand.plane.columnCount = mostColumns;
  }

  int countOf(Along along) const {
    return along == Along::Row      ? rowCount_
           : along == Along::Column ? columnCount_
           : along == Along::Inner  ? innerCount_
           : along == Along::Table  ? static_cast<int>(entries_.size())
                                    : 1;
  }
  char letterOf(Along along) const {
    return along == Along::Row      ? equation_.row
           : along == Along::Column ? equation_.column
           : along == Along::Inner  ? equation_.inner
                                    : ' ';
  }
  bool countsTokens(Along along) const { return letterOf(along) == 'T' || letterOf(along) == 'S'; }
  int columnsOf(const StepOperand& operand) const {
    return operand.plane.empty() ? 0 : plane(scene_.sources, operand.plane)->extent[1];
  }
  float widthOf(const StepOperand& operand) const {
    if (operand.plane.empty()) return 0;
    return std::max(leastThickness, static_cast<float>(columnsOf(operand)) * across_.of(operand.columns));
  }
  float heightOf(const StepOperand& operand) const {
    return std::max(leastThickness, static_cast<float>(countOf(operand.rows)) * down_.of(operand.rows));
  }
  // A matrix whose rows are summed over has its size beside it; what a table's rows become, its tokens and
  // where they come from.
  float gapBefore(const StepOperand& operand) const {
    if (table() && &operand == &equation_.result) return links + tokens_;
    return operand.rows == Along::Inner ? 20.0f : 0.0f;
  }
  float widthOf(const std::string& label) const {
    return input_.metrics.width(label, FontFace::Mono, Theme::small);
  }
  float widthOfTokens() const {
    float widest = 0;
    for (int t = 0; t < rowCount_; ++t) widest = std::max(widest, widthOf(tokenLabel(t)));
    return widest + 2 * signGap;
  }
  // With the row that it reads, where it reads a table's.
  std::string tokenLabel(int t) const {
    const std::string label = input_.label(t, picture_.point->rows);
    return table() ? label + " " + std::to_string(table()->rowFor(t)) : label;
  }

  // The table of which the result's rows are rows; nullptr: there is none.
  const StepOperand* table() const {
    const bool reads = !equation_.operands.empty() && equation_.operands.front().rows == Along::Table;
    return reads ? &equation_.operands.front() : nullptr;
  }
  // All of its rows, or where they are too many those that are read.
  void chooseEntries(float height) {
    if (!table()) return;
    entries_.resize(static_cast<std::size_t>(scene_.sources.find(table()->plane.tensor)->extent[0]));
    std::iota(entries_.begin(), entries_.end(), 0);
    if (static_cast<float>(entries_.size()) * leastEntry <= height) return;
    entries_ = table()->reads;
    std::ranges::sort(entries_);
    entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
  }
  std::string entryLabel(int i) const {
    const int entry = entries_[static_cast<std::size_t>(i)];
    const bool isVocabulary = scene_.sources.point(table()->plane.tensor)->letters.front() == 'V';
    return std::to_string(entry) + (isVocabulary ? " " + input_.entryLabel(entry) : "");
  }
  float widthOfEntries() const {
    float widest = 0;
    for (int i = 0; i < countOf(Along::Table); ++i) widest = std::max(widest, widthOf(entryLabel(i)));
    return std::min(widest + 2 * signGap, 128.0f);
  }
  int placeOfEntry(int entry) const {
    return static_cast<int>(std::ranges::lower_bound(entries_, entry) - entries_.begin());
  }
  float widthOfSign(const std::string& sign) const {
    return sign.empty() ? 0 : input_.metrics.width(sign, FontFace::Mono, Theme::body) + 2 * signGap;
  }

  // How many rows and columns there are of what, beside and below each other.
  struct Counts {
    float tokensAcross = 0, columnsAcross = 0, innerAcross = 0, tokensDown = 1, othersDown = 1;
  };
  // Takes off the width what signs and vectors need.
  Counts counted(float& width) const {
    Counts counts;
    if (!equation_.function.empty()) width -= widthOfSign(equation_.function + " (") + widthOfSign(")");
    const auto count = [&](const StepOperand& operand) {
      width -= widthOfSign(operand.sign) + gapBefore(operand);
      if (operand.plane.empty()) return;
      if (operand.columns == Along::Nothing) width -= leastThickness;
      float& across = countsTokens(operand.columns)     ? counts.tokensAcross
                      : operand.columns == Along::Inner ? counts.innerAcross
                                                        : counts.columnsAcross;
      if (operand.columns != Along::Nothing) across += static_cast<float>(columnsOf(operand));
      if (operand.rows == Along::Table) return;
      float& down = countsTokens(operand.rows) ? counts.tokensDown : counts.othersDown;
      down = std::max(down, static_cast<float>(countOf(operand.rows)));
    };
    for (const StepOperand& operand : equation_.operands) count(operand);
    count(equation_.result);
    return counts;
  }

  // Tokens get rows that can be read, as far as there is room; all else shares what is left.
  void measure(const Box& area) {
    bool keysAcross = countsTokens(equation_.result.columns);
    for (const StepOperand& operand : equation_.operands) keysAcross |= countsTokens(operand.columns);
    // Names of keys as long as they are, as far as there is room.
    const float names = input_.widestLabel(keysOf(picture_.step.site), Theme::small) + 16;
    topLabels_ = edge + (keysAcross ? std::min({names, 112.0f, area.height * 0.32f}) : 0);
    float width = area.width - labels_;
    const float height = area.height - topLabels_ - symbolHeight;
    const Counts counts = counted(width);
    const float others = counts.columnsAcross + counts.innerAcross;
    float token = std::min(largestCell, height / counts.tokensDown);
    if (counts.tokensAcross > 0)
      token = std::min(token, (others > 0 ? 0.6f : 1) * width / counts.tokensAcross);
    width -= counts.tokensAcross * token;
    float column = std::min(largestCell, height / counts.othersDown);
    if (others > 0) column = std::min(column, width / others);
    float inner = column;
    if (counts.innerAcross > 0 &&
        counts.columnsAcross > 4 * counts.innerAcross) {  // else it would be a thread
      inner = std::min({largestCell, height / counts.othersDown, 0.2f * width / counts.innerAcross});
      column = std::min(column, (width - counts.innerAcross * inner) / counts.columnsAcross);
    }
    const auto unit = [&](Along along, float other) { return countsTokens(along) ? token : other; };
    const float entry =
        std::min(largestCell, height / static_cast<float>(std::max<std::size_t>(entries_.size(), 1)));
    down_ =
        across_ = {unit(Along::Row, column), unit(Along::Column, column), unit(Along::Inner, inner), entry};
    widenForNumbers(area.width - labels_, height);
  }

  // Cells of a small matrix become as wide as a number is, where there is room for all of them.
  void widenForNumbers(float room, float height) {
    constexpr float wide = 48, tight = 33, high = 18;
    if (down_.of(equation_.result.rows) < high) return;
    for (const float least : {wide, tight}) {
      const EquationUnits narrow = std::exchange(across_, across_.atLeast(least));
      if (widthOfSigns() + widthOfMatrices() <= room) {
        down_.vector = high;
        return enlarge(room, height);
      }
      across_ = narrow;
    }
  }
  // And as large as the room is then: from the back row a small example is read like any other.
  void enlarge(float room, float height) {
    float tallest = heightOf(equation_.result);
    for (const StepOperand& operand : equation_.operands) tallest = std::max(tallest, heightOf(operand));
    const float most = std::min((room - widthOfSigns()) / widthOfMatrices(), height / tallest);
    enlarged_ = std::clamp(most, 1.0f, 2.0f);
    across_ = across_.times(enlarged_), down_ = down_.times(enlarged_);
  }
  float widthOfMatrices() const {
    float width = widthOf(equation_.result);
    for (const StepOperand& operand : equation_.operands) width += widthOf(operand);
    return width;
  }
  float widthOfSigns() const {
    float width = widthOfSign(equation_.result.sign) + gapBefore(equation_.result);
    for (const StepOperand& operand : equation_.operands)
      width += widthOfSign(operand.sign) + gapBefore(operand);
    if (!equation_.function.empty()) width += widthOfSign(equation_.function + " (") + widthOfSign(")");
    return width;
  }

  void addSign(const std::string& sign) {
    if (sign.empty()) return;
    const float width = widthOfSign(sign);
    addText(scene_, {place_.x + width / 2, place_.y + heightOf(equation_.result) / 2}, sign,
            {FontFace::Mono, Theme::body, theme_.text}, Align::Middle);
    place_.x += width;
  }

  void addOperand(const StepOperand& operand) {
    addSign(operand.sign);
    if (operand.plane.empty()) return;
    place_.x += gapBefore(operand);
    const Box box{place_.x, place_.y, widthOf(operand), heightOf(operand)};
    place_.x += box.width;
    const bool isResult = &operand == &equation_.result;
    const Coloring colors =
        stepColoring(input_, {operand.rows == Along::Table ? equation_.result.plane : operand.plane});
    for (const auto& [plane, part] : partsOf(operand, box)) {
      Matrix matrix;
      matrix.values = plane, matrix.box = part;
      matrix.map = colors.map, matrix.range = colors.range;
      scene_.add(matrix);
      addCellNumbers(scene_, input_, matrix, Theme::small * std::min(enlarged_, 1.5f), leastNumber);
      scene_.hits.push_back(isResult ? resultHits(part) : operandHits(operand, plane, part));
    }
    scene_.add(Rect{box, {0, 0, 0, 0}, isResult ? theme_.quiet : theme_.line, 0, 1});
    addEdges(operand, box, isResult);
    addLit(operand, box, isResult);
    if (isResult) resultBox_ = box;
    if (&operand == table()) tableBox_ = box;
  }

  // A matrix as it is, and of a table the rows that are shown: together where they follow each other, else
  // each by itself.
  std::vector<std::pair<TensorRef, Box>> partsOf(const StepOperand& operand, const Box& box) const {
    if (operand.rows != Along::Table) return {{operand.plane, box}};
    const int count = countOf(Along::Table);
    TensorRef rows = operand.plane;
    rows.index[0] = entries_.front(), rows.rowCount = count;
    if (entries_.back() - entries_.front() + 1 == count) return {{rows, box}};
    std::vector<std::pair<TensorRef, Box>> parts;
    rows.rowDimension = rows.rowCount = -1;
    for (int i = 0; i < count; ++i) {
      rows.index[0] = entries_[static_cast<std::size_t>(i)];
      parts.emplace_back(rows, box.cell(i, 0, count, 1));
    }
    return parts;
  }

  // From the rows of the table to the rows that they become.
  void addLinks() {
    const auto link = [&](int t, Rgba color, float width) {
      const Box from = tableBox_.cell(placeOfEntry(table()->rowFor(t)), 0, countOf(Along::Table), 1),
                to = resultBox_.cell(t, 0, rowCount_, 1);
      scene_.add(Line{
          {{from.right() + 4, from.center().y}, {to.x - tokens_ - 4, to.center().y}}, color, width, false});
    };
    for (int t = 0; t < rowCount_; ++t) link(t, theme_.line, 1);
    if (const auto pointed = picture_.pointed()) link((*pointed)[0], theme_.text, 1.5f);
    link(picture_.row(), theme_.accent, 2);
  }

  // Letters and sizes on the edges, and the name below.
  void addEdges(const StepOperand& operand, const Box& box, bool isResult) {
    const bool namesTokens = operand.columns != Along::Nothing && countsTokens(operand.columns);
    if (operand.columns != Along::Nothing) {
      const std::string words =
          std::string(1, letterOf(operand.columns)) + " " + std::to_string(columnsOf(operand));
      const float y = namesTokens ? box.y - topLabels_ + 10 : box.y - 10;
      addText(scene_, {box.center().x, y}, words, theme_.quietMono(), Align::Middle).maxWidth =
          std::max(box.width, 40.0f);
    }
    if (namesTokens) addTokens(operand, box, Side::Top);
    const bool isFirst = &operand == &firstWithRows();
    if (isFirst) addTokens(operand, box, Side::Left);
    if (operand.rows == Along::Table) addEntries(operand, box);
    addText(scene_, {box.center().x, box.bottom() + 12}, operand.symbol,
            {isResult ? FontFace::Strong : FontFace::Mono, Theme::small, theme_.text}, Align::Middle)
        .maxWidth = std::max(box.width + 2 * signGap, 48.0f);
    if (operand.rows != Along::Inner) return;
    Text& inner = addText(scene_, {box.x - 10, box.bottom()},
                          std::string(1, equation_.inner) + " " + std::to_string(innerCount_),
                          theme_.quietMono(), Align::Middle);
    inner.upright = true, inner.vertical = Align::Start;
  }
  const StepOperand& firstWithRows() const {
    for (const StepOperand& operand : equation_.operands)
      if (operand.rows == Along::Row) return operand;
    return equation_.result;
  }
  void addTokens(const StepOperand& operand, const Box& box, Side side) {
    const Stream stream = side == Side::Left ? picture_.point->rows : keysOf(picture_.step.site);
    const int count = side == Side::Left ? rowCount_ : columnsOf(operand);
    const auto label = [&](int i) {
      const std::string withRow = side == Side::Left ? tokenLabel(i) : "";
      return withRow.empty() || widthOf(withRow) > tokens_ - 2 * signGap ? input_.label(i, stream) : withRow;
    };
    const int chosen = side == Side::Left ? picture_.row() : picture_.isOverKeys() ? picture_.column() : -1;
    const auto touched = [&](int i) { return i == chosen || input_.hover.touches(i, stream); };
    Box beside = box;
    if (side == Side::Left && !table()) beside.x = left_;
    AxisLabels labels{beside, side, count, side == Side::Left ? tokens_ : topLabels_ - edge, label, touched};
    // In smaller letters, before they are cut.
    if (side == Side::Top && input_.widestLabel(stream, labels.size) + 8 > labels.depth) labels.size -= 2;
    addLabels(scene_, input_, labels);
  }
  // The rows of the table by their number, and how many of them there are.
  void addEntries(const StepOperand& operand, const Box& box) {
    const TracePoint& weights = *scene_.sources.point(operand.plane.tensor);
    const int all = scene_.sources.find(operand.plane.tensor)->extent[0], shown = countOf(Along::Table);
    const std::string words = std::string(1, weights.letters.front()) + " " + std::to_string(all);
    const std::string some = std::to_string(shown) + " of ";
    // As much as fits before what the columns are, which stands above their middle.
    const float columns =
        widthOf(std::string(1, weights.letters[1]) + " " + std::to_string(columnsOf(operand)));
    const float end = std::min(box.x, box.center().x - columns / 2) - signGap,
                room = end - (box.x - signGap - labels_ - 8);
    for (const std::string& each : {shown == all ? words : some + words, some + std::to_string(all), words})
      if (widthOf(each) <= room) {
        addText(scene_, {end, box.y - 10}, each, theme_.quietMono(), Align::End).maxWidth = room;
        break;
      }
    const auto label = [&](int i) { return entryLabel(i); };
    const auto read = [&](int i) {
      return entries_[static_cast<std::size_t>(i)] == operand.rowFor(picture_.row());
    };
    addLabels(scene_, input_, {box, Side::Left, shown, labels_, label, read});
  }

  // The chosen number of the result, and the rows and columns that made it; and what is pointed at.
  void addLit(const StepOperand& operand, const Box& box, bool isResult) {
    if (const auto pointed = picture_.pointed())
      addLit(operand, box, (*pointed)[0], (*pointed)[1], theme_.text, isResult ? 2.0f : 1.0f);
    addLit(operand, box, picture_.row(), picture_.column(), theme_.accent, isResult ? 2.5f : 1.5f);
  }
  void addLit(const StepOperand& operand, const Box& box, int ofRow, int ofResult, Rgba color, float width) {
    const int column = ofResult - equation_.firstColumn() - operand.firstColumn, row = operand.rowFor(ofRow);
    Box lit = box;
    if (operand.rows == Along::Table) lit = box.cell(placeOfEntry(row), 0, countOf(Along::Table), 1);
    if (operand.rows == Along::Row && (row < 0 || row >= rowCount_)) return;  // it reads beside the text
    if (operand.rows == Along::Row) lit.y += static_cast<float>(row) * down_.row, lit.height = down_.row;
    if (operand.columns == Along::Column && !operand.wholeRow && operand.rows != Along::Table) {
      if (column < 0 || column >= columnsOf(operand)) return;
      lit.x += static_cast<float>(column) * across_.column, lit.width = across_.column;
    }
    lit.width = std::max(lit.width, 2.0f), lit.height = std::max(lit.height, 2.0f);
    addOutline(scene_, lit, color, width);
  }
  HitRegion resultHits(const Box& box) const {
    HitRegion hit = stepHits(picture_, box, equation_.result.plane);
    const TensorRef shown = picture_.result;
    const auto place = [shown](const Target& target, int dimension) {
      const auto d = static_cast<std::size_t>(dimension);
      return target.cell.index[d] - shown.index[d];
    };
    const bool overKeys = picture_.isOverKeys();
    const Step step = picture_.step;
    hit.click = [=](const Target& target) {
      return chooseNumber(step, overKeys, place(target, shown.rowDimension),
                          place(target, shown.columnDimension));
    };
    const int row = picture_.row(), column = picture_.column(), rows = picture_.cells.extent[0],
              columns = picture_.cells.extent[1];
    hit.arrows = [=](int right, int down) {
      return chooseNumber(step, overKeys, std::clamp(row + down, 0, rows - 1),
                          std::clamp(column + right, 0, columns - 1));
    };
    return hit;
  }
  HitRegion operandHits(const StepOperand& operand, const TensorRef& values, const Box& box) const {
    HitRegion hit;
    hit.box = box;
    hit.target.cell = values;
    hit.target.layer = picture_.step.layer;
    const TensorView cells = *plane(scene_.sources, values);
    hit.rows = cells.extent[0], hit.columns = cells.extent[1];
    hit.target.tokens = picture_.point->rows;
    if (operand.rows == Along::Row) hit.rowAxis = Axis::Token;
    hit.name = "operand " + operand.symbol;
    hit.tabStop = false;
    return hit;
  }

  StepPicture& picture_;
  Scene& scene_;
  const SceneInput& input_;
  const Theme& theme_;
  StepEquation equation_;
  EquationUnits across_, down_;
  float enlarged_ = 1;        // how much larger cells with numbers are than they need to be
  Point place_;               // of the next matrix
  std::vector<int> entries_;  // of the table: which of its rows are shown
  Box tableBox_, resultBox_;  // where they stand
  float labels_ = 0, tokens_ = 0, topLabels_ = 0, left_ = 0;  // labels: at the left edge; tokens: of the rows
  int rowCount_ = 0, columnCount_ = 0, innerCount_ = 1;
};

}  // namespace

namespace {

// Which of a convolution's taps is shown: all of them, or where they are many the ones beside.
void addTapChoices(StepPicture& picture, Box line, int taps) {
  const int shown = picture.result.index[1], own = picture.input.config().tapsAhead();
  const auto choice = [&](const std::string& label, const std::string& tip, int tap) {
    const int other = std::clamp(tap, 0, taps - 1);
    return Choice{label, tip, other == shown && tap == other,
                  commands::choose(tapChoice, other == own ? "" : std::to_string(other))};
  };
  const auto wordsOf = [&](int tap) { return tapWords(picture.input.config(), tap); };
  std::vector<Choice> choices;
  constexpr int mostSideBySide = 7;
  if (taps <= mostSideBySide)
    for (int tap = 0; tap < taps; ++tap)
      choices.push_back(choice(wordsOf(tap), "the tap that reads the token: " + wordsOf(tap), tap));
  else
    choices = {choice("‹", "the tap before it", shown - 1), choice(wordsOf(shown), "this tap", shown),
               choice("›", "the tap behind it", shown + 1)};
  const Box at = addChoices(picture.scene, picture.input, {line.right(), line.y}, choices, line.width);
  const float room = at.x - line.x - 16;
  const std::string reads = "reads the token " + wordsOf(shown);
  addText(picture.scene, {line.x, line.y + 12},
          wordingFor(room, picture.input, picture.theme.note(),
                     {"one of " + std::to_string(taps) + " taps: " + reads, reads}),
          picture.theme.note())
      .maxWidth = room;
}

}  // namespace

void drawStepEquation(StepPicture& picture, Box area) {
  if (picture.input.snapshot.model->isRecorded())
    return drawStepResult(picture, area);  // nothing says what made it
  EquationPicture equation(picture);
  if (equation.isEmpty()) return drawStepResult(picture, area);
  addStepHeading(picture, area);
  if (const int taps = tapsOf(*picture.point, *picture.scene.sources.find(picture.point->name)))
    addTapChoices(picture, area.takeTop(Theme::control + 8), taps);
  constexpr float least = 220;
  area.height = std::max(area.height, least);  // lower than that it scrolls
  picture.scene.size.y = std::max(picture.scene.size.y, area.bottom() + 16);
  equation.draw(area);
}

}  // namespace glassformer
