#include <algorithm>
#include <cctype>
#include <utility>

#include "app/document/view_commands.h"
#include "app/drawing/parts.h"
#include "app/drawing/place_names.h"
#include "app/drawing/wording.h"
#include "app/scene/format.h"
#include "app/views/steps/equation_sizes.h"
#include "app/views/steps/made_number.h"

namespace glassformer {

namespace {

constexpr float signGap = EquationSizes::signGap, leastNumber = 11;

// The matrices of a step's equation side by side.
class EquationPicture {
 public:
  explicit EquationPicture(StepPicture& picture)
      : picture_(picture),
        scene_(picture.scene),
        input_(picture.input),
        theme_(picture.theme),
        sizes_(picture),
        equation_(sizes_.equation()) {}

  bool isEmpty() const { return equation_.operands.empty(); }

  void draw(Box area) {
    const bool sums = sizes_.countOf(Along::Inner) > 1;
    const bool curved = !equation_.function.empty();
    const Box made = area.takeBottom(!sums && !curved ? 88 : area.height > 480 ? 168 : 104);
    sizes_.measure(area);
    left_ = area.x + sizes_.labels();
    place_ = {left_, area.y + sizes_.topLabels()};
    if (!equation_.function.empty()) addSign(equation_.function + " (");
    for (const StepOperand& operand : equation_.operands) addOperand(operand);
    if (!equation_.function.empty()) addSign(")");
    addOperand(equation_.result);
    if (sizes_.table()) addLinks();
    drawMadeNumber(picture_, equation_, sizes_.countOf(Along::Inner), resultHits(made), made);
  }

 private:
  void addSign(const std::string& sign) {
    if (sign.empty()) return;
    const float width = sizes_.widthOfSign(sign);
    addText(scene_, {place_.x + width / 2, place_.y + sizes_.heightOf(equation_.result) / 2}, sign,
            {FontFace::Mono, Theme::body, theme_.text}, Align::Middle);
    place_.x += width;
  }

  void addOperand(const StepOperand& operand) {
    addSign(operand.sign);
    if (operand.plane.empty()) return;
    place_.x += sizes_.gapBefore(operand);
    const Box box{place_.x, place_.y, sizes_.widthOf(operand), sizes_.heightOf(operand)};
    place_.x += box.width;
    const bool isResult = &operand == &equation_.result;
    const Coloring colors =
        stepColoring(input_, {operand.rows == Along::Table ? equation_.result.plane : operand.plane});
    for (const auto& [plane, part] : partsOf(operand, box)) {
      Matrix matrix;
      matrix.values = plane, matrix.box = part;
      matrix.map = colors.map, matrix.range = colors.range;
      scene_.add(matrix);
      addCellNumbers(scene_, input_, matrix, Theme::small * std::min(sizes_.enlarged(), 1.5f), leastNumber);
      scene_.hits.push_back(isResult ? resultHits(part) : operandHits(operand, plane, part));
    }
    scene_.add(Rect{box, {0, 0, 0, 0}, isResult ? theme_.quiet : theme_.line, 0, 1});
    addEdges(operand, box, isResult);
    if (sizes_.hasScales()) addScale(box, colors);
    addLit(operand, box, isResult);
    if (isResult) resultBox_ = box;
    if (&operand == sizes_.table()) tableBox_ = box;
  }

  // Below its name: what its colours mean, in a line, as exactly as there is room beside the one before.
  // Around zero both ends are as far away.
  void addScale(const Box& box, const Coloring& colors) {
    const float width = std::clamp(box.width, 24.0f, 160.0f), x = box.center().x, y = box.bottom() + 24;
    scene_.add(ColorScale{{x - width / 2, y, width, 6}, colors.map, false});
    const bool isSigned = colors.map == ColorMap::Diverging;
    const auto ends = [&](std::string (*words)(float)) {
      return isSigned ? "±" + words(colors.range.high)
                      : words(colors.range.low) + " – " + words(colors.range.high);
    };
    const TextStyle style = theme_.quietMono();
    const std::string words =
        wordingFor(2 * (x - scaleEnd_), input_, style, {ends(formattedShort), ends(formattedTight), ""});
    addText(scene_, {x, y + 15}, words, style, Align::Middle);
    scaleEnd_ = x + std::max(width, input_.metrics.width(words, style.face, style.size)) / 2 + 6;
  }

  // A matrix as it is, and of a table the rows that are shown: together where they follow each other, else
  // each by itself.
  std::vector<std::pair<TensorRef, Box>> partsOf(const StepOperand& operand, const Box& box) const {
    if (operand.rows != Along::Table) return {{operand.plane, box}};
    const int count = sizes_.countOf(Along::Table);
    TensorRef rows = operand.plane;
    rows.index[0] = sizes_.entries().front(), rows.rowCount = count;
    if (sizes_.entries().back() - sizes_.entries().front() + 1 == count) return {{rows, box}};
    std::vector<std::pair<TensorRef, Box>> parts;
    rows.rowDimension = rows.rowCount = -1;
    for (int i = 0; i < count; ++i) {
      rows.index[0] = sizes_.entries()[static_cast<std::size_t>(i)];
      parts.emplace_back(rows, box.cell(i, 0, count, 1));
    }
    return parts;
  }

  // From the rows of the table to the rows that they become.
  void addLinks() {
    const auto link = [&](int t, Rgba color, float width) {
      const Box from = tableBox_.cell(sizes_.placeOfEntry(sizes_.table()->rowFor(t)), 0,
                                      sizes_.countOf(Along::Table), 1),
                to = resultBox_.cell(t, 0, sizes_.countOf(Along::Row), 1);
      scene_.add(Line{{{from.right() + 4, from.center().y}, {to.x - sizes_.tokens() - 4, to.center().y}},
                      color,
                      width,
                      false});
    };
    for (int t = 0; t < sizes_.countOf(Along::Row); ++t) link(t, theme_.line, 1);
    if (const auto pointed = picture_.pointed()) link((*pointed)[0], theme_.text, 1.5f);
    link(picture_.row(), theme_.accent, 2);
  }

  // Queries, keys and values have colours of their own: "q", "k_Rᵀ", "v".
  Rgba inkOf(const std::string& symbol) const {
    const bool isOneLetter = symbol.size() < 2 || !std::isalpha(static_cast<unsigned char>(symbol[1]));
    if (!isOneLetter) return theme_.text;
    return symbol[0] == 'q'   ? theme_.query
           : symbol[0] == 'k' ? theme_.key
           : symbol[0] == 'v' ? theme_.value
                              : theme_.text;
  }
  // Letters and sizes on the edges, and the name below.
  void addEdges(const StepOperand& operand, const Box& box, bool isResult) {
    const bool namesTokens = operand.columns != Along::Nothing && sizes_.countsTokens(operand.columns);
    if (operand.columns != Along::Nothing) {
      const std::string words =
          std::string(1, sizes_.letterOf(operand.columns)) + " " + std::to_string(sizes_.columnsOf(operand));
      const float y = namesTokens ? box.y - sizes_.topLabels() + 10 : box.y - 10;
      addText(scene_, {box.center().x, y}, words, theme_.quietMono(), Align::Middle).maxWidth =
          std::max(box.width, 40.0f);
    }
    if (namesTokens) addTokens(operand, box, Side::Top);
    const bool isFirst = &operand == &firstWithRows();
    if (isFirst) addTokens(operand, box, Side::Left);
    if (operand.rows == Along::Table) addEntries(operand, box);
    addText(scene_, {box.center().x, box.bottom() + 12}, operand.symbol,
            {isResult ? FontFace::Strong : FontFace::Mono, Theme::small, inkOf(operand.symbol)},
            Align::Middle)
        .maxWidth = std::max(box.width + 2 * signGap, 48.0f);
    if (operand.rows != Along::Inner) return;
    Text& inner =
        addText(scene_, {box.x - 10, box.bottom()},
                std::string(1, equation_.inner) + " " + std::to_string(sizes_.countOf(Along::Inner)),
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
    const int count = side == Side::Left ? sizes_.countOf(Along::Row) : sizes_.columnsOf(operand);
    const auto label = [&](int i) {
      const std::string withRow = side == Side::Left ? sizes_.tokenLabel(i) : "";
      return withRow.empty() || sizes_.widthOf(withRow) > sizes_.tokens() - 2 * signGap
                 ? input_.label(i, stream)
                 : withRow;
    };
    const int chosen = side == Side::Left ? picture_.row() : picture_.isOverKeys() ? picture_.column() : -1;
    const auto touched = [&](int i) { return i == chosen || input_.hover.touches(i, stream); };
    Box beside = box;
    if (side == Side::Left && !sizes_.table()) beside.x = left_;
    AxisLabels labels{beside, side,
                      count,  side == Side::Left ? sizes_.tokens() : sizes_.topLabels() - EquationSizes::edge,
                      label,  touched};
    // In smaller letters, before they are cut.
    if (side == Side::Top && input_.widestLabel(stream, labels.size) + 8 > labels.depth) labels.size -= 2;
    addLabels(scene_, input_, labels);
  }
  // The rows of the table by their number, and how many of them there are.
  void addEntries(const StepOperand& operand, const Box& box) {
    const TracePoint& weights = *scene_.sources.point(operand.plane.tensor);
    const int all = scene_.sources.find(operand.plane.tensor)->extent[0],
              shown = sizes_.countOf(Along::Table);
    const std::string words = std::string(1, weights.letters.front()) + " " + std::to_string(all);
    const std::string some = std::to_string(shown) + " of ";
    // As much as fits before what the columns are, which stands above their middle.
    const float columns =
        sizes_.widthOf(std::string(1, weights.letters[1]) + " " + std::to_string(sizes_.columnsOf(operand)));
    const float end = std::min(box.x, box.center().x - columns / 2) - signGap,
                room = end - (box.x - signGap - sizes_.labels() - 8);
    for (const std::string& each : {shown == all ? words : some + words, some + std::to_string(all), words})
      if (sizes_.widthOf(each) <= room) {
        addText(scene_, {end, box.y - 10}, each, theme_.quietMono(), Align::End).maxWidth = room;
        break;
      }
    const auto label = [&](int i) { return sizes_.entryLabel(i); };
    const auto read = [&](int i) {
      return sizes_.entries()[static_cast<std::size_t>(i)] == operand.rowFor(picture_.row());
    };
    addLabels(scene_, input_, {box, Side::Left, shown, sizes_.labels(), label, read});
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
    if (operand.rows == Along::Table)
      lit = box.cell(sizes_.placeOfEntry(row), 0, sizes_.countOf(Along::Table), 1);
    if (operand.rows == Along::Row && (row < 0 || row >= sizes_.countOf(Along::Row)))
      return;  // it reads beside the text
    if (operand.rows == Along::Row)
      lit.y += static_cast<float>(row) * sizes_.down().row, lit.height = sizes_.down().row;
    if (operand.columns == Along::Column && !operand.wholeRow && operand.rows != Along::Table) {
      if (column < 0 || column >= sizes_.columnsOf(operand)) return;
      lit.x += static_cast<float>(column) * sizes_.across().column, lit.width = sizes_.across().column;
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
    const auto choose = picture_.choosing();
    hit.click = [=](const Target& target) {
      return choose(place(target, shown.rowDimension), place(target, shown.columnDimension));
    };
    const int row = picture_.row(), column = picture_.column(), rows = picture_.cells.extent[0],
              columns = picture_.cells.extent[1];
    hit.arrows = [=](int right, int down) {
      return choose(std::clamp(row + down, 0, rows - 1), std::clamp(column + right, 0, columns - 1));
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
  EquationSizes sizes_;
  const StepEquation& equation_;
  Point place_;               // of the next matrix
  Box tableBox_, resultBox_;  // where they stand
  float left_ = 0;            // where the matrices begin
  float scaleEnd_ = 0;        // the right end of the last scale
};

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
               choice("›", "the tap after it", shown + 1)};
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
  if (picture.input.snapshot.model->hasNoWeights())
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
