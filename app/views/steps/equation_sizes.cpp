#include "app/views/steps/equation_sizes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace glassformer {

namespace {
constexpr float largestCell = 40, scaleHeight = 26, leastWithScales = 192, leastEntry = 14, links = 56;
constexpr int mostColumns = 1024;  // of the result; more of them are shown around the chosen one
}  // namespace

float EquationUnits::of(Along along) const {
  return along == Along::Row      ? row
         : along == Along::Column ? column
         : along == Along::Inner  ? inner
         : along == Along::Table  ? entry
                                  : vector;
}

EquationUnits EquationUnits::atLeast(float least) const {
  const auto wide = [=](float unit) { return std::max(unit, least); };
  return {wide(row), wide(column), wide(inner), wide(entry), wide(vector)};
}

EquationUnits EquationUnits::times(float scale) const {
  return {scale * row, scale * column, scale * inner, scale * entry, scale * vector};
}

EquationSizes::EquationSizes(const StepPicture& picture)
    : picture_(picture),
      equation_(equationOf(picture.input, picture.step, picture.result)),
      rowCount_(picture.cells.extent[0]) {
  window();
  if (table()) equation_.result.sign.clear();  // lines lead there
  for (const StepOperand& operand : equation_.operands)
    if (operand.rows == Along::Inner || operand.columns == Along::Inner) {
      const auto cells = plane(picture.scene.sources, operand.plane);
      innerCount_ = cells->extent[operand.rows == Along::Inner ? 0 : 1];
    }
}

void EquationSizes::measure(const Box& area) {
  const bool hasRoom = area.height >= leastWithScales && picture_.input.shows(BesidePicture::Scale);
  foot_ = symbolHeight + (hasRoom ? scaleHeight : 0);
  chooseEntries(area.height - edge - foot_);
  tokens_ = std::min({table() ? 128.0f : 96.0f, area.width * 0.16f, widthOfTokens()});
  labels_ = table() ? widthOfEntries() : tokens_;
  chooseUnits(area);
}

// Of a result with very many columns a part is shown.
void EquationSizes::window() {
  columnCount_ = std::min(picture_.cells.extent[1], mostColumns);
  if (columnCount_ == picture_.cells.extent[1]) return;
  const int first =
      std::clamp(picture_.column() - mostColumns / 2, 0, picture_.cells.extent[1] - mostColumns);
  for (StepOperand& operand : equation_.operands) windowed(operand, first);
  windowed(equation_.result, first);
}

void EquationSizes::windowed(StepOperand& operand, int first) const {
  if (operand.plane.empty() || operand.columns != Along::Column) return;
  operand.plane.index[static_cast<std::size_t>(operand.plane.columnDimension)] += first;
  operand.plane.columnCount = mostColumns;
}

int EquationSizes::countOf(Along along) const {
  return along == Along::Row      ? rowCount_
         : along == Along::Column ? columnCount_
         : along == Along::Inner  ? innerCount_
         : along == Along::Table  ? static_cast<int>(entries_.size())
                                  : 1;
}

char EquationSizes::letterOf(Along along) const {
  return along == Along::Row      ? equation_.row
         : along == Along::Column ? equation_.column
         : along == Along::Inner  ? equation_.inner
                                  : ' ';
}

int EquationSizes::columnsOf(const StepOperand& operand) const {
  return operand.plane.empty() ? 0 : plane(picture_.scene.sources, operand.plane)->extent[1];
}

float EquationSizes::widthOf(const StepOperand& operand) const {
  if (operand.plane.empty()) return 0;
  return std::max(EquationUnits::leastThickness,
                  static_cast<float>(columnsOf(operand)) * across_.of(operand.columns));
}

float EquationSizes::heightOf(const StepOperand& operand) const {
  return std::max(EquationUnits::leastThickness,
                  static_cast<float>(countOf(operand.rows)) * down_.of(operand.rows));
}

float EquationSizes::gapBefore(const StepOperand& operand) const {
  if (table() && &operand == &equation_.result) return links + tokens_;
  return operand.rows == Along::Inner ? 20.0f : 0.0f;
}

float EquationSizes::widthOf(const std::string& label) const {
  return picture_.input.metrics.width(label, FontFace::Mono, Theme::small);
}

float EquationSizes::widthOfTokens() const {
  float widest = 0;
  for (int t = 0; t < rowCount_; ++t) widest = std::max(widest, widthOf(tokenLabel(t)));
  return widest + 2 * signGap;
}

std::string EquationSizes::tokenLabel(int t) const {
  const std::string label = picture_.input.label(t, picture_.point->rows);
  return table() ? label + " " + std::to_string(table()->rowFor(t)) : label;
}

const StepOperand* EquationSizes::table() const {
  const bool reads = !equation_.operands.empty() && equation_.operands.front().rows == Along::Table;
  return reads ? &equation_.operands.front() : nullptr;
}

// All of its rows, or where they are too many those that are read.
void EquationSizes::chooseEntries(float height) {
  if (!table()) return;
  entries_.resize(static_cast<std::size_t>(picture_.scene.sources.find(table()->plane.tensor)->extent[0]));
  std::iota(entries_.begin(), entries_.end(), 0);
  if (static_cast<float>(entries_.size()) * leastEntry <= height) return;
  entries_ = table()->reads;
  std::ranges::sort(entries_);
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
}

std::string EquationSizes::entryLabel(int i) const {
  const int entry = entries_[static_cast<std::size_t>(i)];
  const bool isVocabulary = picture_.scene.sources.point(table()->plane.tensor)->letters.front() == 'V';
  return std::to_string(entry) + (isVocabulary ? " " + picture_.input.entryLabel(entry) : "");
}

float EquationSizes::widthOfEntries() const {
  float widest = 0;
  for (int i = 0; i < countOf(Along::Table); ++i) widest = std::max(widest, widthOf(entryLabel(i)));
  return std::min(widest + 2 * signGap, 128.0f);
}

int EquationSizes::placeOfEntry(int entry) const {
  return static_cast<int>(std::ranges::lower_bound(entries_, entry) - entries_.begin());
}

float EquationSizes::widthOfSign(const std::string& sign) const {
  return sign.empty() ? 0 : picture_.input.metrics.width(sign, FontFace::Mono, Theme::body) + 2 * signGap;
}

// Takes off the width what signs and vectors need.
EquationSizes::Counts EquationSizes::counted(float& width) const {
  Counts counts;
  if (!equation_.function.empty()) width -= widthOfSign(equation_.function + " (") + widthOfSign(")");
  const auto count = [&](const StepOperand& operand) {
    width -= widthOfSign(operand.sign) + gapBefore(operand);
    if (operand.plane.empty()) return;
    if (operand.columns == Along::Nothing) width -= EquationUnits::leastThickness;
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
void EquationSizes::chooseUnits(const Box& area) {
  bool keysAcross = countsTokens(equation_.result.columns);
  for (const StepOperand& operand : equation_.operands) keysAcross |= countsTokens(operand.columns);
  // Names of keys as long as they are, as far as there is room.
  const float names = picture_.input.widestLabel(keysOf(picture_.step.site), Theme::small) + 16;
  topLabels_ = edge + (keysAcross ? std::min({names, 112.0f, area.height * 0.32f}) : 0);
  float width = area.width - labels_;
  const float height = area.height - topLabels_ - foot_;
  const Counts counts = counted(width);
  const float others = counts.columnsAcross + counts.innerAcross;
  float token = std::min(largestCell, height / counts.tokensDown);
  if (counts.tokensAcross > 0) token = std::min(token, (others > 0 ? 0.6f : 1) * width / counts.tokensAcross);
  width -= counts.tokensAcross * token;
  float column = std::min(largestCell, height / counts.othersDown);
  if (others > 0) column = std::min(column, width / others);
  float inner = column;
  if (counts.innerAcross > 0 && counts.columnsAcross > 4 * counts.innerAcross) {  // else it would be a thread
    inner = std::min({largestCell, height / counts.othersDown, 0.2f * width / counts.innerAcross});
    column = std::min(column, (width - counts.innerAcross * inner) / counts.columnsAcross);
  }
  const auto unit = [&](Along along, float other) { return countsTokens(along) ? token : other; };
  const float entry =
      std::min(largestCell, height / static_cast<float>(std::max<std::size_t>(entries_.size(), 1)));
  down_ = across_ = {unit(Along::Row, column), unit(Along::Column, column), unit(Along::Inner, inner), entry};
  widenForNumbers(area.width - labels_, height);
}

// Cells of a small matrix become as wide as a number is, where there is room for all of them.
void EquationSizes::widenForNumbers(float room, float height) {
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
void EquationSizes::enlarge(float room, float height) {
  float tallest = heightOf(equation_.result);
  for (const StepOperand& operand : equation_.operands) tallest = std::max(tallest, heightOf(operand));
  const float most = std::min((room - widthOfSigns()) / widthOfMatrices(), height / tallest);
  enlarged_ = std::clamp(most, 1.0f, 2.0f);
  across_ = across_.times(enlarged_), down_ = down_.times(enlarged_);
}

float EquationSizes::widthOfMatrices() const {
  float width = widthOf(equation_.result);
  for (const StepOperand& operand : equation_.operands) width += widthOf(operand);
  return width;
}

float EquationSizes::widthOfSigns() const {
  float width = widthOfSign(equation_.result.sign) + gapBefore(equation_.result);
  for (const StepOperand& operand : equation_.operands)
    width += widthOfSign(operand.sign) + gapBefore(operand);
  if (!equation_.function.empty()) width += widthOfSign(equation_.function + " (") + widthOfSign(")");
  return width;
}

}  // namespace glassformer
