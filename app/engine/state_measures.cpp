#include "app/engine/state_measures.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/document/attribution_settings.h"
#include "core/lens/contributions.h"
#include "core/lens/integrated_gradients.h"
#include "core/lens/neurons.h"
#include "core/lens/principal_components.h"
#include "core/lens/rollout.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

Stream streamOfRow(const CausalRow& row) {
  return row.site == AttentionSite::Encoder ? Stream::Source : Stream::Text;
}

// Of a row and one of normColumns; empty: there is none.
std::string normPoint(const ModelConfig& config, const CausalRow& row, int column) {
  const Stream stream = streamOfRow(row);
  if (column == 1) return attentionOutPoint(row.layer, row.site);
  if (row.site == AttentionSite::Cross) return "";  // told in the row of the decoder's own
  if (column == 0) return blockPoint(config, row.layer, "hook_resid_pre", stream);
  return config.hasFeedForward() ? blockPoint(config, row.layer, "hook_mlp_out", stream) : "";
}

double isAbove(double a) { return a > 0 ? 1 : 0; }
double sizeOf(double a) { return std::abs(a); }

Derivation derivedFunction(Cell x, double (*function)(double), const char* name) {
  return {.form = Form::Function, .terms = {{x}}, .function = function, .functionName = name};
}

// Of a vector.
std::vector<Cell> cellsOf(const TensorView& vector) {
  std::vector<Cell> cells;
  for (int i = 0; i < vector.extent[0]; ++i) cells.push_back(&vector(i));
  return cells;
}

// The states that a block's attention reads; empty: told in the row of the decoder's own.
std::string statesPoint(const ModelConfig& config, const CausalRow& row) { return normPoint(config, row, 0); }

// Row and column of a cell.
struct PlaceOfCell {
  CausalRow row;
  int column = 0;
};
PlaceOfCell rowAndColumn(const TextAgain& text, int cell, int columns) {
  return {causalRows(text.model->config())[static_cast<std::size_t>(cell / columns)], cell % columns};
}

// Which tokens of a text something is a mean over: of tokenNormColumns one, of which none of two holds the
// same token, or all.
constexpr int allTokens = -1;
struct TokenRange {
  int first = 0, end = 0;
};
TokenRange tokensOf(int column, int count) {
  const int last = std::max(count - 1, 2);
  const TokenRange ranges[] = {{0, 1}, {1, 2}, {2, last}, {last, last + 1}};
  const TokenRange range = column == allTokens ? TokenRange{0, count} : ranges[column];
  return {std::min(range.first, count), std::min(range.end, count)};
}

float meanLength(const TensorView& rows, int column) {
  const TokenRange range = tokensOf(column, rows.extent[0]);
  double sum = 0;
  for (int t = range.first; t < range.end; ++t) sum += derivedLength(rows[t]).value();
  return static_cast<float>(sum / (range.end - range.first));  // NaN of none
}

OpenPasses madeOfLengths(const TextAgain& text, const std::string& point, int column) {
  if (point.empty()) return {};
  return [text, point, column] {
    ReplayedPass whole = text.whole();
    if (!whole.trace->contains(point)) return MultiPassDerivation{{}, {std::move(whole)}};
    const TensorView rows = (*whole.trace)[point];
    auto set = std::make_shared<TensorSet>();
    addDerived(*set, {"lens.row_norm", "T", "norm of each token's vector of " + point, "‖x‖"},
               {rows.extent[0]}, [rows](const Index& at) { return derivedLength(rows[at[0]]); });
    const auto [first, end] = tokensOf(column, rows.extent[0]);
    std::vector<Cell> norms = cellsOf((*set)["lens.row_norm"]);
    norms = {norms.begin() + first, norms.begin() + end};
    whole.measured = std::move(set);
    return MultiPassDerivation{derivedMean(norms), {std::move(whole)}};
  };
}

// The mean over pairs s < t of cos(x_s, x_t): with u = x / ‖x‖ it is (‖Σ u‖² − Σ ‖u‖²) / (T (T − 1)).
float meanCosine(const TensorView& x) {
  const int T = x.extent[0];
  std::vector<double> sum(static_cast<std::size_t>(x.extent[1]));
  double alone = 0, together = 0;
  for (int t = 0; t < T; ++t) {
    const double length = derivedLength(x[t]).value();
    if (!(length > 0)) continue;
    ++alone;
    for (int d = 0; d < x.extent[1]; ++d)
      sum[static_cast<std::size_t>(d)] += static_cast<double>(x(t, d)) / length;
  }
  for (const double each : sum) together += each * each;
  return static_cast<float>((together - alone) / (T * (T - 1.0)));
}

// All of these pairs, measured: lens.token_cosine [T, S].
std::vector<Cell> cosinesOfPairs(const TensorView& x, TensorSet& set) {
  const int T = x.extent[0];
  addDerived(set,
             {"lens.token_cosine", "TS", "cosine of the vectors of two tokens", "x_s · x_t / (‖x_s‖ ‖x_t‖)"},
             {T, T}, [x](const Index& at) { return derivedCosine(x[at[0]], x[at[1]]); });
  std::vector<Cell> pairs;
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < t; ++s) pairs.push_back(&set["lens.token_cosine"](t, s));
  return pairs;
}

}  // namespace

std::vector<float> normsOfText(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < static_cast<int>(std::size(normColumns)); ++column) {
      const std::string point = normPoint(config, row, column);
      cells.push_back(text.trace.contains(point) ? meanLength(text.trace[point], allTokens) : NAN);
    }
  return cells;
}

OpenPasses madeOfNorms(const TextAgain& text, int cell) {
  const auto [row, column] = rowAndColumn(text, cell, static_cast<int>(std::size(normColumns)));
  return madeOfLengths(text, normPoint(text.model->config(), row, column), allTokens);
}

std::vector<float> tokenNormsOfText(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < static_cast<int>(std::size(tokenNormColumns)); ++column) {
      const std::string point = statesPoint(config, row);
      cells.push_back(text.trace.contains(point) ? meanLength(text.trace[point], column) : NAN);
    }
  return cells;
}

OpenPasses madeOfTokenNorms(const TextAgain& text, int cell) {
  const auto [row, column] = rowAndColumn(text, cell, static_cast<int>(std::size(tokenNormColumns)));
  return madeOfLengths(text, statesPoint(text.model->config(), row), column);
}

std::vector<float> geometryOfText(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config)) {
    const std::string point = statesPoint(config, row);
    const bool isThere = text.trace.contains(point) && text.trace[point].extent[0] > 1;
    if (!isThere) {
      cells.insert(cells.end(), std::size(geometryColumns), NAN);
      continue;
    }
    const TensorView x = text.trace[point];
    const Tensor shares = principalComponents({&x, 1}).shares;
    cells.insert(cells.end(), {shares(0), shares(1), meanCosine(x)});
  }
  return cells;
}

OpenPasses madeOfGeometry(const TextAgain& text, int cell) {
  const auto [row, column] = rowAndColumn(text, cell, static_cast<int>(std::size(geometryColumns)));
  const std::string point = statesPoint(text.model->config(), row);
  if (point.empty()) return {};
  return [text, point, column = column] {
    ReplayedPass whole = text.whole();
    if (!whole.trace->contains(point)) return MultiPassDerivation{{}, {std::move(whole)}};
    const TensorView x = (*whole.trace)[point];
    auto set = std::make_shared<TensorSet>();
    Derivation made;
    if (column < 2) {
      measureGeometry({{geometry::tokens, "coordinates of the token's vector on the axes", x}}, *set);
      made = *set->derive(geometry::shares, {column});
    } else {
      made = derivedMean(cosinesOfPairs(x, *set));
    }
    whole.measured = std::move(set);
    return MultiPassDerivation{std::move(made), {std::move(whole)}};
  };
}

std::vector<float> neuronsOfText(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config)) {
    const std::string point = neuronPoint(config, row.layer, streamOfRow(row));
    const bool isThere = row.site != AttentionSite::Cross && text.trace.contains(point);
    double active = 0, sum = 0, magnitude = 0;
    const std::vector<float> all = isThere ? text.trace[point].copy() : std::vector<float>();
    for (const float a : all)
      active += a > 0 ? 1 : 0, sum += static_cast<double>(a), magnitude += std::abs(static_cast<double>(a));
    for (const double each : {active, sum, magnitude})
      cells.push_back(static_cast<float>(each / static_cast<double>(all.size())));  // NaN without neurons
  }
  return cells;
}

OpenPasses madeOfNeurons(const TextAgain& text, int cell) {
  const ModelConfig& config = text.model->config();
  const int columns = static_cast<int>(std::size(neuronColumns)), column = cell % columns;
  const CausalRow row = causalRows(config)[static_cast<std::size_t>(cell / columns)];
  if (row.site == AttentionSite::Cross) return {};
  return [text, column, point = neuronPoint(config, row.layer, streamOfRow(row))] {
    ReplayedPass whole = text.whole();
    if (!whole.trace->contains(point)) return MultiPassDerivation{{}, {std::move(whole)}};
    const TensorView a = (*whole.trace)[point];
    auto set = std::make_shared<TensorSet>();
    TensorView numbers = a;
    if (column != 1) {
      const bool isShare = column == 0;
      addDerived(*set,
                 {isShare ? "lens.neuron_active" : "lens.neuron_size", "TF",
                  isShare ? "1 where a neuron is above 0, else 0" : "activation of a neuron",
                  isShare ? "[a > 0]" : "|a|"},
                 {a.extent[0], a.extent[1]}, [a, isShare](const Index& at) {
                   return derivedFunction(&a(at[0], at[1]), isShare ? isAbove : sizeOf,
                                          isShare ? "step" : "abs");
                 });
      numbers = set->tensor(0);
    }
    addDerived(*set, {"lens.neuron_mean", "T", "the mean over the block's neurons at each token", "mean_f"},
               {a.extent[0]}, [numbers](const Index& at) { return derivedMean(cellsOf(numbers[at[0]])); });
    const TensorView means = (*set)["lens.neuron_mean"];
    whole.measured = std::move(set);
    return MultiPassDerivation{derivedMean(cellsOf(means)), {std::move(whole)}};
  };
}

namespace {

// The tokens of a class as the last one sees them.
std::vector<int> seenByLast(const DetectionPattern& tokens, const Trace& trace, const ModelConfig& config) {
  return claimsOf(tokens, attendedTokens(trace, ownSite(config))).back();
}

// IG of the answer's logit from zero, as far as is usual. False where it was stopped.
bool integrate(const Transformer& model, const Trace& trace, const Interventions& standing,
               const ProgressCallback& watch, TensorSet& set) {
  const int last = trace.tokenCount() - 1;
  IntegratedGradients gradients(model, trace, standing, {{last, likeliestEntry(trace, last)}}, Baseline{});
  while (!gradients.isFinished(usualGradients)) {
    if (!watch(gradients.steps(), usualGradients)) return false;
    gradients.refine();
  }
  gradients.addTo(set);
  return true;
}

}  // namespace

std::vector<float> integratedOfText(const MeasuredText& text) {
  const Transformer& model = text.pass.model();
  TensorSet set;
  if (!integrate(model, text.trace, text.standing, text.watch, set)) return {};
  const TensorView owed = set[integrated::tokens];
  std::vector<float> cells;
  for (const DetectionPattern& each : tokenClasses()) {
    const std::vector<int> there = seenByLast(each, text.trace, model.config());
    double sum = there.empty() ? NAN : 0;
    for (const int s : there) sum += static_cast<double>(owed(s));
    cells.push_back(static_cast<float>(sum));
  }
  return cells;
}

OpenPasses madeByIntegrating(const TextAgain& text, int cell) {
  return [text, tokens = tokenClasses()[static_cast<std::size_t>(cell)]] {
    ReplayedPass whole = text.whole();
    auto set = std::make_shared<TensorSet>();
    integrate(*text.model, *whole.trace, text.standing, noProgress, *set);
    const TensorView owed = (*set)[integrated::tokens];
    Derivation sum;
    for (const int s : seenByLast(tokens, *whole.trace, text.model->config()))
      sum.terms.push_back({&owed(s)});
    whole.measured = std::move(set);
    return MultiPassDerivation{std::move(sum), {std::move(whole)}};
  };
}

}  // namespace glassformer
