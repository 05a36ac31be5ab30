#include "app/engine/ablation_map.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/document/leave_out_settings.h"
#include "app/document/workspace.h"
#include "app/engine/asked_metric.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/across_changes.h"
#include "core/lens/patching.h"
#include "core/text/utf8.h"
#include "core/trace/derived.h"

namespace glassformer {

std::vector<CausalRow> causalRows(const ModelConfig& config) {
  std::vector<CausalRow> rows;
  for (int layer = 0; config.isEncoderDecoder() && layer < config.encoderBlocks(); ++layer)
    rows.push_back({AttentionSite::Encoder, layer});
  for (int layer = 0; layer < config.layers; ++layer) {
    rows.push_back({ownSite(config), layer});
    if (config.isEncoderDecoder()) rows.push_back({AttentionSite::Cross, layer});
  }
  return rows;
}

namespace {
int headsOf(const ModelConfig& config) { return config.hasAttention() ? config.heads : 0; }
}  // namespace

int causalColumns(const ModelConfig& config) { return headsOf(config) + 2; }

std::optional<ModelPart> causalPart(const ModelConfig& config, const CausalRow& row, int column) {
  const int heads = headsOf(config);
  if (column < heads) return ModelPart{ModelPart::Kind::Head, row.layer, column, row.site};
  if (column == heads)
    return row.site == ownSite(config) ? mixingPart(config, row.layer, row.site)
                                       : ModelPart{ModelPart::Kind::Attention, row.layer, 0, row.site};
  // Behind the attention across, where there is one.
  const bool isLast =
      row.site == AttentionSite::Encoder || row.site == AttentionSite::Cross || !config.isEncoderDecoder();
  if (!config.hasFeedForward() || !isLast) return std::nullopt;
  const AttentionSite site = row.site == AttentionSite::Cross ? ownSite(config) : row.site;
  return ModelPart{ModelPart::Kind::Mlp, row.layer, 0, site};
}

std::string causalRowName(const CausalRow& row) {
  const char* stack = row.site == AttentionSite::Encoder   ? "encoder "
                      : row.site == AttentionSite::Decoder ? "decoder "
                      : row.site == AttentionSite::Cross   ? "across "
                                                           : "block ";
  return stack + std::to_string(row.layer);
}

std::string causalColumnName(const ModelConfig& config, int column) {
  const int heads = headsOf(config);
  if (column < heads) return std::to_string(column);
  if (column > heads) return "MLP";
  return heads == 0 ? "mixing" : config.biases == Biases::All ? "all + b_O" : "all heads";
}

std::string shortNameOf(const ModelPart& part) {
  const bool isHead = part.kind == ModelPart::Kind::Head;
  return isHead ? nameOf(HeadId{part.layer, part.head, part.site})
                : "L" + std::to_string(part.layer) + " MLP";
}

std::vector<ModelPart> positionedParts(const ModelConfig& config) {
  std::vector<ModelPart> parts;
  for (const CausalRow& row : causalRows(config)) {
    if (row.site == AttentionSite::Encoder) continue;  // of the source's stream
    for (int column = 0; column < causalColumns(config); ++column)
      if (const auto part = causalPart(config, row, column);
          part && (part->kind == ModelPart::Kind::Head || part->kind == ModelPart::Kind::Mlp))
        parts.push_back(*part);
  }
  return parts;
}

Intervention switchedOffAt(const ModelPart& part, int position) {
  Intervention off = zeroAblation(part);
  off.index[0] = position;
  return off;
}

std::string leftOutWords(const Intervention& off, AblationKind as) {
  Intervention everywhere = off;
  everywhere.index[0] = Intervention::every;
  const std::string at = off.index[0] < 0 ? "" : " at position " + std::to_string(off.index[0]);
  return placeWords(everywhere) + (as == AblationKind::Mean ? " mean-ablated" : " ablated") + at;
}

Intervention meanAblation(const ShownPass& pass, const ModelPart& part, const Intervention& off) {
  constexpr std::size_t mostOfText = 24;  // characters that name a text
  Intervention held = heldAtMean(*pass.trace, off);
  held.origin = "its mean over “" + excerpt(pass.textOf(queriesOf(part.site)), mostOfText) + "”";
  return held;
}

std::vector<std::optional<Intervention>> everyPartOff(const ModelConfig& config) {
  std::vector<std::optional<Intervention>> cells;
  for (const CausalRow& row : causalRows(config))
    for (int column = 0; column < causalColumns(config); ++column) {
      const auto part = causalPart(config, row, column);
      cells.push_back(part ? std::optional(zeroAblation(*part)) : std::nullopt);
    }
  return cells;
}

namespace {

std::vector<std::optional<Intervention>> everyPartAt(const ModelConfig& config, int positions) {
  std::vector<std::optional<Intervention>> cells;
  for (const ModelPart& part : positionedParts(config))
    for (int position = 0; position < positions; ++position) cells.push_back(switchedOffAt(part, position));
  return cells;
}

}  // namespace

namespace causal {

std::string numberOf(const ViewSettings& settings) {
  const MetricChoice& metric = chosenMetric(settings, usualAblationMetric);
  const auto found = std::ranges::find_if(
      numbers, [&](const AblationNumber& each) { return std::string_view(each.metric) == metric.id; });
  return found == numbers.end() ? logit : found->tensor;  // a difference stands in the place of the logit
}

std::string at(std::string tensor, bool byPosition) { return byPosition ? tensor + "_at" : tensor; }

}  // namespace causal

namespace {

AblationKind chosenAs(const ViewSettings& settings) {
  return holdsAtMean(settings) ? AblationKind::Mean : AblationKind::Zero;
}

std::vector<Metric> metricsAsked(const JobSide& side) {
  const ViewSettings& settings = side.workspace().settings;
  const int mask = side.of.model.shown->tokenizer->mask();
  std::vector<Metric> asked;
  for (const AblationNumber& each : causal::numbers) {
    const bool isDifference =
        std::string_view(each.metric) == "logit" && chosenMetric(settings, usualAblationMetric).isDifference;
    const MetricChoice& metric = *findMetric(isDifference ? "difference" : each.metric);
    asked.push_back(askedMetric(settings, *side.snapshot.pass, metric, mask));
  }
  return asked;
}

// Which of them the gradient estimates. KL has no slope where it begins, and one token no loss.
std::size_t metricEstimated(const ViewSettings& settings, int tokens) {
  const std::string chosen = causal::numberOf(settings);
  for (std::size_t i = 0; i < causal::numbers.size(); ++i) {
    const Metric::Kind kind = findMetric(causal::numbers[i].metric)->kind;
    const bool hasSlope = kind == Metric::Kind::Answer || (kind == Metric::Kind::Loss && tokens > 1);
    if (chosen == causal::numbers[i].tensor && hasSlope) return i;
  }
  return 0;
}

// Every cell compares the open pass with the one without its part, which is not kept.
TensorSet::AcrossOf acrossCells(const AblationKey& key, const AblationState& state, const Metric& metric) {
  return [metric, pass = key.pass, as = key.as, leftOut = state.leftOut,
          columns = state.columns](const auto& index) -> OpenPasses {
    const int cell = index[0] * columns + index[1];
    const auto& part = (*leftOut)[static_cast<std::size_t>(cell)];
    if (!part) return {};
    return [=, part = *part] {
      return metricAcross(pass.model->config(), passAtHand(asItIsWords, pass.trace),
                          passAgain(leftOutWords(part, as), pass.model, *pass.trace,
                                    withOneMore(pass.interventions, leftOutAs(as, *pass.trace, part))),
                          metric);
    };
  };
}

// Whether the gradients are those of the metric that is asked about.
bool isEstimated(const AblationKey& key, const AblationState& state) {
  return state.gradients && state.estimated == key.estimated;
}

// Products of the part's numbers in the open pass and their gradients.
TensorSet::DerivationOf madeOfEstimates(const AblationKey& key, const AblationState& state) {
  return [whole = key.pass.trace, gradients = isEstimated(key, state) ? state.gradients : nullptr,
          leftOut = state.leftOut, as = key.as,
          columns = state.columns](const auto& at) -> std::optional<Derivation> {
    const int cell = at[0] * columns + at[1];
    const auto& part = (*leftOut)[static_cast<std::size_t>(cell)];
    if (!part || !gradients) return std::nullopt;
    return derivedEstimate(*whole, *gradients, *part, as);
  };
}

// The best guesses first.
void takeUpEstimates(const AblationKey& key, AblationState& state) {
  const auto& [model, trace, interventions] = key.pass;
  auto gradients = std::make_shared<TensorSet>();
  const std::vector<float> estimates = estimateLeftOut(*model, *trace, interventions, *state.leftOut,
                                                       key.metrics[key.estimated], *gradients, key.as);
  state.gradients = std::move(gradients), state.estimated = key.estimated;
  std::ranges::copy(estimates, state.estimates.values().begin());
  if (!state.order.empty()) return;
  state.order.resize(estimates.size());
  std::iota(state.order.begin(), state.order.end(), 0);
  std::ranges::stable_sort(state.order, std::greater<>(), [&](int cell) {
    const float estimate = estimates[static_cast<std::size_t>(cell)];
    return std::isnan(estimate) ? 0 : std::abs(estimate);
  });
}

}  // namespace

bool AblationKey::operator==(const AblationKey& other) const {
  return pass == other.pass && metrics == other.metrics && byPosition == other.byPosition && as == other.as;
}

std::optional<AblationKey> AblationMap::key(const JobSide& side) const {
  auto pass = side.pass();
  const Prediction& asked = side.snapshot.pass->predicted;
  if (!pass || asked.entry < 0 || asked.position >= pass->trace->tokenCount()) return std::nullopt;
  const ViewSettings& settings = side.workspace().settings;
  const std::size_t estimated = metricEstimated(settings, pass->trace->tokenCount());
  return AblationKey{*std::move(pass), metricsAsked(side), leavesOutByPosition(settings), chosenAs(settings),
                     estimated};
}

std::unique_ptr<AblationState> AblationMap::start(const AblationKey& key, const JobSide& side,
                                                  const StartJob&) {
  auto state = std::make_unique<AblationState>();
  state->columns = key.byPosition ? key.pass.trace->tokenCount() : causalColumns(side.config());
  state->leftOut = std::make_shared<const AblationState::Changes>(
      key.byPosition ? everyPartAt(side.config(), state->columns) : everyPartOff(side.config()));
  const std::size_t cells = state->leftOut->size();
  state->estimates =
      Tensor({static_cast<int>(cells) / state->columns, state->columns}, std::vector<float>(cells, NAN));
  state->changes.assign(key.metrics.size(), state->estimates);
  state->pass = std::make_unique<LivePass>(key.pass.model, threads_);
  return state;
}

JobResult AblationMap::result(const AblationKey& key, const AblationState& state, const JobSide&) const {
  auto set =
      isEstimated(key, state) ? std::make_shared<TensorSet>(*state.gradients) : std::make_shared<TensorSet>();
  const bool isMean = key.as == AblationKind::Mean;
  const std::string at = key.byPosition ? " at this position" : "",
                    without =
                        (isMean ? "when this component is mean-ablated" : "when this component is ablated") +
                        at;
  const char* const letters = key.byPosition ? "YT" : "YZ";
  const ModelConfig& config = key.pass.model->config();
  const std::string changed = isMean ? "with its mean" : "without";
  for (std::size_t i = 0; i < key.metrics.size(); ++i)
    set->addAcross(
        {causal::at(causal::numbers[i].tensor, key.byPosition), letters,
         wordsOf(key.metrics[i], config) + " " + without, equationOf(key.metrics[i], config, changed)},
        state.changes[i], acrossCells(key, state, key.metrics[i]));
  const std::string gradient = isMean ? "(x̄ − x) · ∂y / ∂x" : "−x · ∂y / ∂x",
                    estimate = causal::at(causal::estimate, key.byPosition);
  const Metric& metric = key.metrics[key.estimated];
  Tensor estimates = state.estimates;
  if (!isEstimated(key, state)) std::ranges::fill(estimates.values(), NAN);
  Tensor errors = estimates;
  set->add(
      {estimate, letters, "gradient estimate of the " + wordsOf(metric, config) + " " + without, gradient},
      std::move(estimates), madeOfEstimates(key, state));
  std::ranges::transform(errors.values(), state.changes[key.estimated].values(), errors.values().begin(),
                         std::minus<>());
  set->add({causal::at(causal::error, key.byPosition), letters, "error of that estimate",
            gradient + " − (" + equationOf(metric, config, changed) + ")"},
           std::move(errors),
           [estimates = (*set)[estimate],
            exact = (*set)[causal::at(causal::numbers[key.estimated].tensor, key.byPosition)]](
               const auto& at) { return derivedDifference(&estimates(at[0], at[1]), &exact(at[0], at[1])); });
  return {std::move(set)};
}

// Cell by cell; the gradients of the estimates are each text's own.
JobResult AblationMap::difference(const JobResult& here, const JobResult& there,
                                  const Alignments& alignments) const {
  return differenceOf(here, there, alignments,
                      [](std::string_view name) { return name.starts_with("causal."); });
}

bool AblationMap::goOn(const AblationKey& key, AblationState& state, const JobSide&, const StartJob& begin,
                       const std::function<void()>& more) {
  const int count = static_cast<int>(state.leftOut->size());
  if (state.next == count && isEstimated(key, state)) return true;
  const ProgressCallback watch = begin(doing);
  if (!isEstimated(key, state)) takeUpEstimates(key, state), more();
  const auto& [model, trace, interventions] = key.pass;
  std::vector<MetricOfPass> whole;
  for (const Metric& metric : key.metrics) whole.emplace_back(model->config(), *trace, metric);
  for (; state.next < count; ++state.next) {
    if (!watch(state.next, count)) return false;
    const int cell = state.order[static_cast<std::size_t>(state.next)];
    const auto& part = (*state.leftOut)[static_cast<std::size_t>(cell)];
    if (!part) continue;
    const auto without = state.pass->run(
        trace->tokens(), withOneMore(interventions, leftOutAs(key.as, *trace, *part)), trace->source());
    for (std::size_t i = 0; i < key.metrics.size(); ++i)
      state.changes[i](cell / state.columns, cell % state.columns) =
          whole[i].changeTo({model->config(), *without, key.metrics[i]});
    more();
  }
  return true;
}

}  // namespace glassformer
