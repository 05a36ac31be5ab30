#include "app/engine/state_measures.h"

#include <cmath>
#include <iterator>

#include "app/document/attribution_settings.h"
#include "core/lens/contributions.h"
#include "core/lens/integrated_gradients.h"
#include "core/lens/neurons.h"
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
  if (row.site == AttentionSite::Across) return "";  // told in the row of the decoder's own
  if (column == 0) return blockPoint(config, row.layer, "hook_resid_pre", stream);
  return config.hasFeedForward() ? blockPoint(config, row.layer, "hook_mlp_out", stream) : "";
}

double lengthOf(const TensorView& x) { return derivedLength(x).value(); }

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

}  // namespace

std::vector<float> normsOfText(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < static_cast<int>(std::size(normColumns)); ++column) {
      const std::string point = normPoint(config, row, column);
      if (!text.trace.contains(point)) {
        cells.push_back(NAN);
        continue;
      }
      const TensorView rows = text.trace[point];
      double sum = 0;
      for (int t = 0; t < rows.extent[0]; ++t) sum += lengthOf(rows[t]);
      cells.push_back(static_cast<float>(sum / rows.extent[0]));
    }
  return cells;
}

OpenPasses madeOfNorms(const TextAgain& text, int cell) {
  const ModelConfig& config = text.model->config();
  const int columns = static_cast<int>(std::size(normColumns));
  const std::string point =
      normPoint(config, causalRows(config)[static_cast<std::size_t>(cell / columns)], cell % columns);
  if (point.empty()) return {};
  return [text, point] {
    PassAgain whole = text.whole();
    if (!whole.trace->contains(point)) return AcrossPasses{{}, {std::move(whole)}};
    const TensorView rows = (*whole.trace)[point];
    auto set = std::make_shared<TensorSet>();
    addDerived(*set, {"lens.row_norm", "T", "how long each token's vector of " + point + " is", "‖x‖"},
               {rows.extent[0]}, [rows](const Index& at) { return derivedLength(rows[at[0]]); });
    std::vector<Cell> norms;
    for (int t = 0; t < rows.extent[0]; ++t) norms.push_back(&(*set)["lens.row_norm"](t));
    whole.measured = std::move(set);
    return AcrossPasses{derivedMean(norms), {std::move(whole)}};
  };
}

std::vector<float> neuronsOfText(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  std::vector<float> cells;
  for (const CausalRow& row : causalRows(config)) {
    const std::string point = neuronPoint(config, row.layer, streamOfRow(row));
    const bool isThere = row.site != AttentionSite::Across && text.trace.contains(point);
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
  if (row.site == AttentionSite::Across) return {};
  return [text, column, point = neuronPoint(config, row.layer, streamOfRow(row))] {
    PassAgain whole = text.whole();
    if (!whole.trace->contains(point)) return AcrossPasses{{}, {std::move(whole)}};
    const TensorView a = (*whole.trace)[point];
    auto set = std::make_shared<TensorSet>();
    TensorView numbers = a;
    if (column != 1) {
      const bool isShare = column == 0;
      addDerived(*set,
                 {isShare ? "lens.neuron_active" : "lens.neuron_size", "TF",
                  isShare ? "1 where a neuron is above 0, else 0" : "how large a neuron is",
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
    return AcrossPasses{derivedMean(cellsOf(means)), {std::move(whole)}};
  };
}

namespace {

// The tokens of a class as the last one sees them.
std::vector<int> seenByLast(const HeadHypothesis& tokens, const Trace& trace, const ModelConfig& config) {
  return claimsOf(tokens, attendedTokens(trace, ownSite(config))).back();
}

// IG of the answer's logit from zero, as far as is usual. False where it was stopped.
bool integrate(const Transformer& model, const Trace& trace, const Interventions& standing,
               const Watch& watch, TensorSet& set) {
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
  for (const HeadHypothesis& each : tokenClasses()) {
    const std::vector<int> there = seenByLast(each, text.trace, model.config());
    double sum = there.empty() ? NAN : 0;
    for (const int s : there) sum += static_cast<double>(owed(s));
    cells.push_back(static_cast<float>(sum));
  }
  return cells;
}

OpenPasses madeByIntegrating(const TextAgain& text, int cell) {
  return [text, tokens = tokenClasses()[static_cast<std::size_t>(cell)]] {
    PassAgain whole = text.whole();
    auto set = std::make_shared<TensorSet>();
    integrate(*text.model, *whole.trace, text.standing, unwatched, *set);
    const TensorView owed = (*set)[integrated::tokens];
    Derivation sum;
    for (const int s : seenByLast(tokens, *whole.trace, text.model->config()))
      sum.terms.push_back({&owed(s)});
    whole.measured = std::move(set);
    return AcrossPasses{std::move(sum), {std::move(whole)}};
  };
}

}  // namespace glassformer
