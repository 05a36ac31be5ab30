#include "app/views/steps/recorded_operands.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "app/scene/format.h"
#include "core/model/catalogue.h"

namespace glassformer {

namespace {

using Index = std::array<int, maxRank>;

constexpr const char* transposed = "ᵀ";

// Neighbouring terms of one kind in a derivation: the products of a matrix product, or a single summand.
struct TermGroup {
  std::size_t first = 0, last = 0;
  bool isProduct = false;
  TensorRef factor, other;          // of the first term
  TensorRef lastFactor, lastOther;  // of the last one
  std::size_t count() const { return last - first + 1; }
};

// The one dimension in which two indices differ; -1: they are the same, nothing: they differ in several.
std::optional<int> changedDimension(const Index& a, const Index& b) {
  int changed = -1;
  for (int d = 0; d < maxRank; ++d)
    if (a[static_cast<std::size_t>(d)] != b[static_cast<std::size_t>(d)]) {
      if (changed >= 0) return std::nullopt;
      changed = d;
    }
  return changed;
}

// Finds the matrices that an operation reads by asking three numbers of its result what made them: the last
// one, and its neighbours in the row and in the column.
class RecordedOperands {
 public:
  RecordedOperands(const SceneInput& input, const TensorRef& result, const TensorView& cells)
      : input_(input),
        sources_(input.sources()),
        result_(result),
        rows_(cells.extent[0]),
        columns_(cells.extent[1]) {}

  std::vector<StepOperand> find() {
    if (rows_ == 0 || columns_ == 0) return {};
    if (std::vector<StepOperand> table = readTable(); !table.empty()) return table;
    const auto last = groupsAt(rows_ - 1, columns_ - 1);
    const auto above = groupsAt(std::max(rows_ - 2, 0), columns_ - 1),
               before = groupsAt(rows_ - 1, std::max(columns_ - 2, 0));
    if (last.empty() || above.size() != last.size() || before.size() != last.size()) return {};
    std::vector<StepOperand> operands;
    for (std::size_t i = 0; i < last.size(); ++i)
      if (!add(last[i], above[i], before[i], operands)) return {};
    return operands;
  }

 private:
  // The weight that a number of the result is a copy of, but for a factor.
  std::optional<Term> copied(int row, int column) const {
    const auto derivation = sources_.derive(result_.cell(row, column));
    const bool isCopy = derivation && derivation->form == Form::Sum && derivation->terms.size() == 1 &&
                        derivation->terms.front().factor && !derivation->terms.front().other;
    const std::string from = isCopy ? sources_.locate(derivation->terms.front().factor).tensor : "";
    if (from.empty() || !input_.snapshot.pass->trace->weights()->contains(from)) return std::nullopt;
    return derivation->terms.front();
  }

  // √D · E[token], P[t] or S[type]: the table, and which of its rows every row of the result is. Columns that
  // positions have for themselves are no part of E.
  std::vector<StepOperand> readTable() const {
    const auto first = copied(0, 0);
    if (!first) return {};
    StepOperand table{{sources_.locate(first->factor).tensor, {}, 0, 1}, Along::Table, Along::Column, "", ""};
    for (int row = 0; row < rows_; ++row) {
      const auto term = copied(row, 0);
      const TensorRef cell = term ? sources_.locate(term->factor) : TensorRef{};
      if (cell.tensor != table.plane.tensor || cell.index[1] != 0) return {};
      table.reads.push_back(cell.index[0]);
    }
    table.plane.columnCount = columns_;
    while (!copied(0, table.plane.columnCount - 1)) --table.plane.columnCount;
    table.symbol = symbolOfWeight(table.plane.tensor, 0, "", input_.config());
    std::vector<int> inOrder(table.reads.size());
    std::iota(inOrder.begin(), inOrder.end(), 0);
    if (table.reads == inOrder)  // and so beside the rows that it makes
      table.rows = Along::Row, table.plane.rowCount = rows_, table.reads.clear();
    if (first->coefficient == 1) return {table};
    return {table, bareOperation("· √D (" + formattedShort(first->coefficient) + ")")};
  }

  std::vector<TermGroup> groupsAt(int row, int column) const {
    const auto derivation = sources_.derive(result_.cell(row, column));
    std::vector<TermGroup> groups;
    if (!derivation) return groups;
    const std::vector<Term>& terms = derivation->terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (!terms[i].factor) return {};  // a number that is no tensor's
      const bool isProduct = terms[i].other != nullptr;
      if (!groups.empty() && isProduct && groups.back().isProduct && goesOn(groups.back(), terms[i])) {
        groups.back().last = i;
        continue;
      }
      groups.push_back({i,
                        i,
                        isProduct,
                        sources_.locate(terms[i].factor),
                        isProduct ? sources_.locate(terms[i].other) : TensorRef{},
                        {},
                        {}});
      if (groups.back().factor.empty() || (isProduct && groups.back().other.empty())) return {};
    }
    for (TermGroup& group : groups) {
      group.lastFactor = at(group.factor, terms[group.last].factor);
      if (group.isProduct) group.lastOther = at(group.other, terms[group.last].other);
    }
    return groups;
  }

  bool goesOn(const TermGroup& group, const Term& term) const {
    return sources_.find(group.factor.tensor)->indexOf(term.factor) &&
           sources_.find(group.other.tensor)->indexOf(term.other);
  }
  TensorRef at(const TensorRef& known, Cell cell) const {
    const auto index = sources_.find(known.tensor)->indexOf(cell);
    return index ? TensorRef{known.tensor, *index} : known;
  }

  // False where the operand is no plane of a tensor.
  bool add(const TermGroup& last, const TermGroup& above, const TermGroup& before,
           std::vector<StepOperand>& operands) const {
    const bool isFirst = operands.empty();
    const auto factor = planeOf(last.factor, last.lastFactor, above.factor, before.factor, last.count());
    if (!factor) return false;
    operands.push_back(*factor);
    operands.back().sign = isFirst ? "" : "+";
    if (!last.isProduct) return true;
    const auto other = planeOf(last.other, last.lastOther, above.other, before.other, last.count());
    if (!other) return false;
    operands.push_back(*other);
    operands.back().sign = "·";
    return true;
  }

  std::optional<StepOperand> planeOf(const TensorRef& first, const TensorRef& last, const TensorRef& above,
                                     const TensorRef& before, std::size_t count) const {
    const auto alongRow = rows_ > 1 ? changedDimension(first.index, above.index) : -1,
               alongColumn = columns_ > 1 ? changedDimension(first.index, before.index) : -1,
               alongInner = changedDimension(first.index, last.index);
    const bool areNamed = first.tensor == above.tensor && first.tensor == before.tensor;
    if (!areNamed || !alongRow || !alongColumn || !alongInner) return std::nullopt;
    StepOperand operand;
    operand.plane.tensor = first.tensor, operand.plane.index = first.index;
    int taken = 0;
    const auto span = [&](int dimension, const TensorRef& neighbour, int extent, Along along) {
      if (dimension < 0) return true;
      const auto d = static_cast<std::size_t>(dimension);
      const int start = first.index[d] - (extent - 1);
      const bool isNeighbour = first.index[d] - neighbour.index[d] == 1;
      if (!isNeighbour || start < 0 || taken++ == 2) return false;
      operand.plane.index[d] = start;
      // Rows of the result are rows wherever they occur, and its columns are columns.
      if (along == Along::Row)
        operand.rows = along, operand.plane.rowDimension = dimension, operand.plane.rowCount = extent;
      else
        operand.columns = along, operand.plane.columnDimension = dimension,
        operand.plane.columnCount = extent;
      return true;
    };
    if (!span(*alongRow, above, rows_, Along::Row) || !span(*alongColumn, before, columns_, Along::Column))
      return std::nullopt;
    if (*alongInner < 0) return named(operand);
    if (taken == 2 || *alongInner == *alongRow || *alongInner == *alongColumn) return std::nullopt;
    const bool isLeft = operand.rows == Along::Row || (*alongColumn < 0 && rows_ == 1);
    (isLeft ? operand.columns : operand.rows) = Along::Inner;
    (isLeft ? operand.plane.columnDimension : operand.plane.rowDimension) = *alongInner;
    (isLeft ? operand.plane.columnCount : operand.plane.rowCount) = static_cast<int>(count);
    return named(operand);
  }

  // The dimension that counts the tokens of a text of one.
  int tokensOf(const std::string& tensor) const {
    const std::size_t found = sources_.point(tensor)->letters.find('T');
    return found == std::string::npos ? -1 : static_cast<int>(found);
  }

  StepOperand named(StepOperand operand) const {
    operand.plane = calledNear(result_.tensor, operand.plane, *input_.snapshot.pass->trace);
    const std::string& name = operand.plane.tensor;
    if (rows_ == 1 && operand.rows == Along::Nothing && tokensOf(name) >= 0)
      operand.rows = Along::Row, operand.plane.rowDimension = tokensOf(name);
    const TracePoint& point = *sources_.point(name);
    const bool isWeight = input_.snapshot.pass->trace->weights()->contains(name);
    const auto column = static_cast<std::size_t>(point.letters.size() - 1);
    operand.symbol = isWeight ? symbolOfWeight(name, operand.plane.index[column], "", input_.config())
                              : symbolIn(point.equation);
    if (operand.plane.rowDimension > operand.plane.columnDimension && operand.plane.columnDimension >= 0)
      operand.symbol = turned(operand.symbol);
    return operand;
  }

  const SceneInput& input_;
  TensorSources sources_;
  TensorRef result_;
  int rows_, columns_;
};

}  // namespace

std::string turned(const std::string& symbol) {
  return symbol.ends_with(transposed) ? symbol.substr(0, symbol.size() - std::string_view(transposed).size())
                                      : symbol + transposed;
}

StepOperand bareOperation(std::string words) {
  StepOperand operation;
  operation.sign = std::move(words);
  return operation;
}

std::string symbolIn(const std::string& equation) { return equation.substr(0, equation.find(" = ")); }

TensorRef calledNear(const std::string& here, TensorRef ref, const Trace& trace) {
  const std::string scope = placeOfPoint(here).scope;
  const int found = trace.find(ref.tensor);
  if (found < 0 || scope.empty() || ref.tensor.starts_with(scope)) return ref;
  for (int i = 0; i < trace.count(); ++i)
    if (trace.tensor(i).data == trace.tensor(found).data && trace.point(i).name.starts_with(scope))
      ref.tensor = trace.point(i).name;
  return ref;
}

std::vector<StepOperand> recordedOperands(const SceneInput& input, const TensorRef& result,
                                          const TensorView& cells) {
  return RecordedOperands(input, result, cells).find();
}

}  // namespace glassformer
