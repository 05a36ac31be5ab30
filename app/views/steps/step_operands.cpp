#include "app/views/steps/step_operands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>

#include "app/scene/format.h"
#include "core/lens/attention_stages.h"
#include "core/lens/norm_mean.h"
#include "core/model/catalogue.h"

namespace glassformer {

namespace {

using Index = std::array<int, maxRank>;

constexpr const char* transposed = "ᵀ";

// "W_U" for "W_Uᵀ", and the other way round.
std::string turned(const std::string& symbol) {
  return symbol.ends_with(transposed) ? symbol.substr(0, symbol.size() - std::string_view(transposed).size())
                                      : symbol + transposed;
}

// An operation that takes no matrix.
StepOperand bareOperation(std::string words) {
  StepOperand operation;
  operation.sign = std::move(words);
  return operation;
}

// The left side of "q = n · W_Q + b_Q".
std::string symbolIn(const std::string& equation) { return equation.substr(0, equation.find(" = ")); }

std::string primesOf(const std::string& symbol) {
  return symbol.substr(std::min(symbol.size(), symbol.find('\'')));
}

// The same numbers by the name that they have in the block of `here`, where they have several: what one block
// leaves the next one finds.
TensorRef calledNear(const std::string& here, TensorRef ref, const Trace& trace) {
  const std::string scope = placeOfPoint(here).scope;
  const int found = trace.find(ref.tensor);
  if (found < 0 || scope.empty() || ref.tensor.starts_with(scope)) return ref;
  for (int i = 0; i < trace.count(); ++i)
    if (trace.tensor(i).data == trace.tensor(found).data && trace.point(i).name.starts_with(scope))
      ref.tensor = trace.point(i).name;
  return ref;
}

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
    return {table, bareOperation("· √D = · " + formatted(first->coefficient))};
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

// The stages of one head, each from those before it.
class AttentionOperands {
 public:
  AttentionOperands(const SceneInput& input, const Step& step)
      : input_(input), step_(step), config_(input.config()), sources_(input.sources()) {}

  // Whether the step makes c tanh(s / c) of the scores, and no more.
  bool capsHere() const {
    const bool isUnmasked =
        step_.tensor.ends_with("hook_attn_scores") && !isMaskedBefore(config_, step_.site);
    return hasCap(config_, step_.site) && (step_.tensor == stages::scores || isUnmasked);
  }

  // Nothing for steps that the pass computed as they are.
  std::vector<StepOperand> find() const {
    const std::string& tensor = step_.tensor;
    const bool isScores = tensor.ends_with("hook_attn_scores");
    if (tensor == stages::products) return product(compared("q"), compared("k"), "·");
    if (tensor == stages::scaled) return {asWritten(stages::products), scale()};
    if (isScores && isMaskedBefore(config_, step_.site))
      return {of(stages::scores, "s", ""), of(stages::mask, "M", "+")};
    if (isScores && config_.kernel == AttentionKernel::Linear && isMaskedAfter(config_, step_.site))
      return {of(stages::scores, "s", ""), of(stages::mask, "m", "⊙")};
    if (capsHere()) return {of(stages::uncapped, "s₀", "")};
    if (tensor == stages::uncapped || tensor == stages::scores || isScores) return shifted();
    if (tensor == stages::heads) return sideBySide();
    if (tensor == attentionOutPoint(step_.layer, step_.site) || tensor == point("hook_out")) return output();
    if (tensor.ends_with("hook_z")) return weighted();
    if (tensor == stages::unmasked) return hasSoftmax(config_) ? softmax() : std::vector<StepOperand>{};
    if (tensor == stages::zeroed) return {of(stages::unmasked, "a", ""), of(stages::mask, "m", "⊙")};
    if (!tensor.ends_with("hook_pattern")) return {};
    if (isRenormalized(config_, step_.site)) return renormalized();
    return hasSoftmax(config_) ? softmax() : std::vector<StepOperand>{};
  }

 private:
  StepOperand scale() const {
    const std::string width = config_.scoreWidth > 0 ? std::to_string(config_.scoreWidth) : "K";
    const float divisor = 1 / config_.ofLayer(step_.layer).scoreScale();
    const std::string root = config_.scaledScores ? "√" + width : "",
                      depth = config_.scoresByLayer ? std::to_string(step_.layer + 1) : "",
                      product =
                          root.empty() || depth.empty() ? root + depth : "(" + root + " · " + depth + ")";
    return bareOperation("/ " + product + " = / " + formatted(divisor));
  }

  // A stage of the selected head, number by number.
  StepOperand of(const char* stage, const char* symbol, const char* sign) const {
    return {{stageTensor(stage, {step_.layer, input_.head(), step_.site}), {}, 0, 1},
            Along::Row,
            Along::Column,
            sign,
            symbol};
  }
  // The same by what its equation says: "q_R · k_Rᵀ / √K".
  StepOperand asWritten(const char* stage) const {
    StepOperand operand = of(stage, "", "");
    if (const TracePoint* point = sources_.point(operand.plane.tensor)) operand.symbol = point->equation;
    return operand;
  }
  TensorRef headOf(const std::string& name, int head) const {
    const auto table = sources_.find(name);
    return {name, {0, table ? head * table->extent[1] / config_.heads : 0, 0}, 0, 2};
  }
  std::string point(const char* name) const { return attentionPoint(step_.layer, step_.site, name); }
  // Queries or keys as they are compared.
  TensorRef compared(const char* which) const {
    return headOf(comparedPoint(sources_, step_.layer, step_.site, which), input_.head());
  }
  std::string symbolOf(const TensorRef& plane) const {
    const TracePoint* found = sources_.point(plane.tensor);
    return found ? symbolIn(found->equation) : "";
  }

  // rows · keysᵀ
  std::vector<StepOperand> product(const TensorRef& rows, TensorRef keys, const char* sign) const {
    const std::string key = symbolOf(keys);
    std::swap(keys.rowDimension, keys.columnDimension);
    return {{rows, Along::Row, Along::Inner, "", symbolOf(rows)},
            {keys, Along::Inner, Along::Column, sign, turned(key)}};
  }

  std::vector<StepOperand> shifted() const {
    const AttentionSite site = step_.site;
    if (!hasProducts(config_, site)) return {};
    const bool isShifted = hasPositionBias(config_, site);
    if (!isShifted && !config_.scalesScores()) return product(compared("q"), compared("k"), "·");
    std::vector<StepOperand> operands{
        asWritten(hasScaled(config_, site) ? stages::scaled : stages::products)};
    if (!isShifted) operands.push_back(scale());
    if (isShifted) operands.push_back(of(stages::bias, "positions", "+"));
    return operands;
  }

  StepOperand maskedScores() const {
    return {{point("hook_attn_scores"), {input_.head(), 0, 0}, 1, 2}, Along::Row, Along::Column, "", "s"};
  }

  std::vector<StepOperand> softmax() const {
    StepOperand scores = maskedScores();
    scores.wholeRow = true;
    StepOperand sums = of(stages::sums, "Σ", "/");
    sums.columns = Along::Nothing;
    return {scores, of(stages::exponentials, "exp(s − max s)", "→"), sums};
  }

  // What is left of each row, divided by its sum.
  std::vector<StepOperand> renormalized() const {
    StepOperand left =
        config_.kernel == AttentionKernel::Linear ? maskedScores() : of(stages::zeroed, "m ⊙ a", "");
    left.wholeRow = true;
    StepOperand sums = of(stages::left, "Σ", "/");
    sums.columns = Along::Nothing;
    return {left, sums};
  }

  std::vector<StepOperand> weighted() const {
    const TensorRef pattern{point("hook_pattern"), {input_.head(), 0, 0}, 1, 2};
    return {{pattern, Along::Row, Along::Inner, "", "A"},
            {headOf(point("hook_v"), input_.head()), Along::Inner, Along::Column, "·", "v"}};
  }

  std::vector<StepOperand> sideBySide() const {
    std::vector<StepOperand> heads;
    for (int h = 0; h < config_.heads; ++h) {
      heads.push_back({headOf(point("hook_z"), h), Along::Row, Along::Column, h ? "|" : "",
                       nameOf(HeadId{step_.layer, h, step_.site})});
      heads.back().firstColumn = h * config_.headWidth();
      heads.back().plane.columnCount = config_.headWidth();
    }
    return heads;
  }

  std::vector<StepOperand> output() const {
    if (config_.readout == Readout::OneMatrix) return {};
    StepOperand z = of(stages::heads, "z", "");
    z.columns = Along::Inner;
    const std::string weights = attentionWeights(step_.layer, step_.site) + "c_proj.";
    std::vector<StepOperand> operands{
        z, {{weights + "weight", {}, 0, 1}, Along::Inner, Along::Column, "·", "W_O"}};
    if (config_.biases == Biases::All)
      operands.push_back({{weights + "bias", {}, -1, 0}, Along::Nothing, Along::Column, "+", "b_O"});
    return operands;
  }

  const SceneInput& input_;
  const Step& step_;
  const ModelConfig& config_;
  TensorSources sources_;
};

// "W_2" for "W_j".
std::string ofTap(std::string symbol, int tap) {
  if (symbol.ends_with("_j")) symbol.replace(symbol.size() - 1, 1, std::to_string(tap));
  return symbol;
}

// What a tap reads, some rows away, times its weights. The tap that reads its own row says what both are.
std::vector<StepOperand> tapOperands(const SceneInput& input, const TensorRef& result) {
  const TensorSources sources = input.sources();
  const TensorView taps = *sources.find(result.tensor);
  const int own = input.config().tapsAhead(), tap = result.index[1], columns = taps.extent[2];
  const auto made = sources.derive({result.tensor, {0, own, 0}});
  if (!made || made->terms.empty() || !made->terms.front().factor || !made->terms.front().other) return {};
  const TensorRef x = calledNear(result.tensor, sources.locate(made->terms.front().factor),
                                 *input.snapshot.pass->trace),
                  weight = sources.locate(made->terms.front().other);
  if (x.empty() || weight.empty()) return {};
  const bool isFull = input.config().filters != Filters::Depthwise;
  std::string read = symbolIn(sources.point(x.tensor)->equation),
              by = symbolOfWeight(weight.tensor, 0, "", input.config());
  if (const int ahead = own - tap; ahead != 0)
    read += ahead > 0 ? "[t + " + std::to_string(ahead) + "]" : "[t − " + std::to_string(-ahead) + "]";
  StepOperand rows{{x.tensor, {}, 0, 1}, Along::Row, isFull ? Along::Inner : Along::Column, "", read};
  rows.rowsAhead = own - tap;
  StepOperand weights{{weight.tensor, {}, -1, 1}, Along::Nothing, Along::Column, "⊙", ofTap(by, tap)};
  if (isFull)
    weights.sign = "·", weights.rows = Along::Inner, weights.plane.rowDimension = 0,
    weights.plane.index[1] = tap * columns, weights.plane.columnCount = columns;
  else
    weights.plane.index[0] = tap;
  return {rows, weights};
}

// (x − μ) / σ ⊙ γ + β
std::vector<StepOperand> normOperands(const SceneInput& input, const TensorRef& result, const Derivation& d) {
  const TensorSources sources = input.sources();
  const auto ref = [&](Cell cell) { return cell ? sources.locate(cell) : TensorRef{}; };
  if (d.terms.empty()) return {};
  const TensorRef x = calledNear(result.tensor, ref(d.terms.front().factor), *input.snapshot.pass->trace);
  const std::string name = result.tensor, mean = meanTensor(name), scale = scalePoint(name);
  if (!sources.contains(x.tensor) || !sources.contains(scale) || (d.centred && !sources.contains(mean)))
    return {};
  const std::string primes = primesOf(symbolIn(sources.point(name)->equation));
  const auto vector = [&](Cell cell, const char* sign) {
    const std::string weight = ref(cell).tensor;
    return StepOperand{{weight, {}, -1, 0},
                       Along::Nothing,
                       Along::Column,
                       sign,
                       symbolOfWeight(weight, 0, primes, input.config())};
  };
  const bool isBehind = name.ends_with("_out");  // what it divides by is of no stream
  const std::string divisor = isBehind ? symbolIn(sources.point(scale)->equation) : d.centred ? "σ" : "ρ";
  const auto column = [&](const std::string& tensor, const std::string& symbol, const char* sign) {
    return StepOperand{{tensor, {}, 0, 1}, Along::Row, Along::Nothing, sign, symbol};
  };
  StepOperand stream{{x.tensor, {}, 0, 1},
                     Along::Row,
                     Along::Column,
                     d.centred ? "(" : "",
                     symbolIn(sources.point(x.tensor)->equation)};
  stream.wholeRow = true;
  std::vector<StepOperand> operands{stream};
  if (d.centred) operands.push_back(column(mean, "μ", "−"));
  operands.push_back(column(scale, divisor, d.centred ? ") /" : "/"));
  operands.push_back(vector(d.gamma, "⊙"));
  if (d.beta) operands.push_back(vector(d.beta, "+"));
  return operands;
}

// c tanh(x / c) of what stands there.
void cap(StepEquation& equation, float c) {
  if (equation.operands.empty()) return;
  char number[32];
  std::snprintf(number, sizeof number, "%g", static_cast<double>(c));
  equation.cap = c, equation.function = std::string(number) + " tanh";
  equation.operands.push_back(bareOperation(std::string("/ ") + number));
}

char letterOf(const TracePoint& point, int dimension) {
  return dimension < 0 ? ' ' : point.letters[static_cast<std::size_t>(dimension)];
}

}  // namespace

int StepOperand::rowFor(int ofResult) const {
  if (rows == Along::Table) return reads[static_cast<std::size_t>(ofResult)];
  return rows == Along::Row ? ofResult + rowsAhead : 0;
}

StepEquation equationOf(const SceneInput& input, const Step& step, const TensorRef& result) {
  const TensorSources sources = input.sources();
  const TracePoint& point = *sources.point(result.tensor);
  StepEquation equation;
  equation.result = {result, Along::Row, Along::Column, "=", symbolIn(point.equation)};
  equation.row = letterOf(point, result.rowDimension),
  equation.column = letterOf(point, result.columnDimension);
  const auto cells = plane(sources, result);
  const bool hasTaps = point.letters.find('J') != std::string::npos;
  if (!cells || input.snapshot.isDifference()) return equation;
  if (hasTaps) {
    equation.operands = tapOperands(input, result);
    equation.result.symbol = ofTap(equation.result.symbol, result.index[1]);
  }
  if (step.part == StepPart::Attention) {
    const AttentionOperands attention(input, step);
    equation.operands = attention.find();
    if (attention.capsHere()) cap(equation, input.config().scoreCap);
  }
  const auto last = sources.derive(result.cell(cells->extent[0] - 1, cells->extent[1] - 1));
  const bool isOfRow =
      last && (last->form == Form::Softmax || last->form == Form::Largest || last->form == Form::Share);
  if (equation.operands.empty() && last && !isOfRow) {
    equation.operands = last->form == Form::Normalized ? normOperands(input, result, *last)
                                                       : RecordedOperands(input, result, *cells).find();
    if (last->form == Form::Function) equation.function = last->functionName;
    if (last->form == Form::Capped) cap(equation, last->constant);
    if (step.tensor == "unembed.hook_in")
      equation.operands.push_back(
          bareOperation("/ √D = / " + formatted(1 / input.config().unembeddingScale())));
    if (last->form == Form::Gate && equation.operands.size() == 2)
      equation.operands[0].symbol = std::string(last->functionName) + "(" + equation.operands[0].symbol + ")",
      equation.operands[1].sign = "⊙";
  }
  for (const StepOperand& operand : equation.operands) {
    if (!operand.plane.empty() && !plane(sources, operand.plane)) equation.operands.clear();
    if (equation.operands.empty()) break;
    if (operand.columns != Along::Inner) continue;
    equation.inner = letterOf(*sources.point(operand.plane.tensor), operand.plane.columnDimension);
  }
  return equation;
}

}  // namespace glassformer
