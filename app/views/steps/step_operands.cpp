#include "app/views/steps/step_operands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/scene/format.h"
#include "app/views/steps/recorded_operands.h"
#include "core/lens/attention_stages.h"
#include "core/lens/norm_mean.h"
#include "core/model/catalogue.h"
#include "core/model/head.h"

namespace glassformer {

namespace {

std::string primesOf(const std::string& symbol) {
  return symbol.substr(std::min(symbol.size(), symbol.find('\'')));
}

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
    if (isScores && isMaskedBefore(config_, step_.site)) return {beforeMask(), of(stages::mask, "M", "+")};
    if (isScores && config_.kernel == AttentionKernel::Linear && isMaskedAfter(config_, step_.site))
      return {of(stages::scores, "s", ""), of(stages::mask, "m", "⊙")};
    if (capsHere()) return {of(stages::uncapped, "s₀", "")};
    if (tensor == stages::uncapped || tensor == stages::scores || isScores) return shifted();
    if (tensor == stages::heads) return sideBySide();
    if (tensor == attentionOutPoint(step_.layer, step_.site) || tensor == point("hook_out")) return output();
    if (tensor.ends_with("hook_z")) return weighted();
    if (tensor == stages::zeroed) return {ofPoint("hook_unmasked_pattern", "A₀"), of(stages::mask, "m", "⊙")};
    const bool isPattern = tensor.ends_with("hook_pattern");
    if (!isPattern && !tensor.ends_with("hook_unmasked_pattern")) return {};
    if (isPattern && isRenormalized(config_, step_.site)) return renormalized();
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
    return bareOperation("/ " + product + " (" + formattedShort(divisor) + ")");
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
  // Of the same name as what the mask makes of it, and so by what it is computed from: "q · kᵀ / √K".
  StepOperand beforeMask() const {
    StepOperand operand = asWritten(stages::scores);
    if (const std::size_t at = operand.symbol.find(" = "); at != std::string::npos)
      operand.symbol.erase(0, at + 3);
    return operand;
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
    if (config_.kernel == AttentionKernel::Linear) return product(compared("q"), compared("k"), "·");
    if (!hasProducts(config_, site)) return {};
    const bool isShifted = hasPositionBias(config_, site);
    if (!isShifted && !config_.scalesScores()) return product(compared("q"), compared("k"), "·");
    std::vector<StepOperand> operands{
        asWritten(hasScaled(config_, site) ? stages::scaled : stages::products)};
    if (!isShifted) operands.push_back(scale());
    if (isShifted) operands.push_back(of(stages::bias, "positions", "+"));
    return operands;
  }

  // The selected head's plane of a point [H, T, S].
  StepOperand ofPoint(const char* name, const char* symbol) const {
    return {{point(name), {input_.head(), 0, 0}, 1, 2}, Along::Row, Along::Column, "", symbol};
  }
  StepOperand maskedScores() const { return ofPoint("hook_attn_scores", "s"); }

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
        config_.kernel == AttentionKernel::Linear ? maskedScores() : of(stages::zeroed, "m ⊙ A₀", "");
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
    if (config_.headsOutputFullWidth()) return {};
    StepOperand z = of(stages::heads, "z", "");
    z.columns = Along::Inner;
    const std::string weights = attentionWeights(step_.layer, step_.site) + "c_proj.";
    std::vector<StepOperand> operands{
        z, {{weights + "weight", {}, 0, 1}, Along::Inner, Along::Column, "·", "W_O"}};
    if (config_.biasesOutput())
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

// 1/t Σ x: of each column the mean of its rows, as far as they are seen.
std::vector<StepOperand> meanOperands(const SceneInput& input, const Derivation& d) {
  const TensorSources sources = input.sources();
  const TensorRef x = sources.locate(d.terms.front().factor);
  return {{{x.tensor, {}, 0, 1},
           Along::Inner,
           Along::Column,
           "mean of",
           symbolIn(sources.point(x.tensor)->equation)}};
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
    equation.operands = last->form == Form::Normalized    ? normOperands(input, result, *last)
                        : step.tensor == pooledForClasses ? meanOperands(input, *last)
                                                          : recordedOperands(input, result, *cells);
    if (last->form == Form::Function) equation.function = last->functionName;
    if (last->form == Form::Capped) cap(equation, last->constant);
    if (step.tensor == "unembed.hook_in")
      equation.operands.push_back(
          bareOperation("/ √D (" + formattedShort(1 / input.config().unembeddingScale()) + ")"));
    if (last->form == Form::Gate && equation.operands.size() == 2)
      equation.operands[0].symbol = std::string(last->functionName) + "(" + equation.operands[0].symbol + ")",
      equation.operands[1].sign = "⊙";
  }
  for (const StepOperand& operand : equation.operands) {
    if (!operand.plane.empty() && !plane(sources, operand.plane)) equation.operands.clear();
    if (equation.operands.empty()) break;
    const bool isAcross = operand.columns == Along::Inner;
    if (!isAcross && operand.rows != Along::Inner) continue;
    equation.inner = letterOf(*sources.point(operand.plane.tensor),
                              isAcross ? operand.plane.columnDimension : operand.plane.rowDimension);
  }
  return equation;
}

}  // namespace glassformer
