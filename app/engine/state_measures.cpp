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

std::vector<float> integratedOfText(const MeasuredText& text) {
  const ModelConfig& config = text.pass.model().config();
  const int last = text.trace.tokenCount() - 1;
  IntegratedGradients gradients(text.pass.model(), text.trace, text.standing,
                                {{last, likeliestEntry(text.trace, last)}}, Baseline{});
  while (!gradients.isFinished(usualGradients)) {
    if (!text.watch(gradients.steps(), usualGradients)) return {};
    gradients.refine();
  }
  TensorSet set;
  gradients.addTo(set);
  const TensorView owed = set[integrated::tokens];
  std::vector<float> cells;
  for (const HeadHypothesis& each : tokenClasses()) {
    const Claims claims = claimsOf(each, attendedTokens(text.trace, ownSite(config)));
    const std::vector<int>& there = claims[static_cast<std::size_t>(last)];
    double sum = there.empty() ? NAN : 0;
    for (const int s : there) sum += static_cast<double>(owed(s));
    cells.push_back(static_cast<float>(sum));
  }
  return cells;
}

}  // namespace glassformer
