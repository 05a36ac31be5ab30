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

std::vector<Metric> metricsAsked(const MeasuredModel& of, const Snapshot& snapshot) {
  const ViewSettings& settings = of.workspace.settings;
  const int mask = of.model.shown->tokenizer->mask();
  std::vector<Metric> asked;
  for (const AblationNumber& each : causal::numbers) {
    const bool isDifference =
        std::string_view(each.metric) == "logit" && chosenMetric(settings, usualAblationMetric).isDifference;
    const MetricChoice& metric = *findMetric(isDifference ? "difference" : each.metric);
    asked.push_back(askedMetric(settings, *snapshot.pass, metric, mask));
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

}  // namespace

bool AblationMap::changesAreOf(const MeasuredModel& of, const Snapshot& snapshot) const {
  return model_ == of.model.shown->transformer && trace_ == snapshot.pass->trace &&
         metrics_ == metricsAsked(of, snapshot) && interventions_ == of.workspace.interventions &&
         byPosition_ == leavesOutByPosition(of.workspace.settings) && as_ == chosenAs(of.workspace.settings);
}

bool AblationMap::isOf(const MeasuredModel& of, const Snapshot& snapshot) const {
  return changesAreOf(of, snapshot) &&
         estimated_ == metricEstimated(of.workspace.settings, trace_->tokenCount());
}

void AblationMap::show(const MeasuredModel& of, Snapshot& snapshot) const {
  put(snapshot, {trace_ && isOf(of, snapshot) ? measured() : nullptr}, ofOpenTextAlone());
}

// Every cell compares the open pass with the one without its part, which is not kept.
TensorSet::AcrossOf AblationMap::acrossCells(const Metric& metric) const {
  return [metric, model = model_, whole = trace_, standing = interventions_, as = as_, leftOut = leftOut_,
          columns = columns()](const auto& index) -> OpenPasses {
    const int cell = index[0] * columns + index[1];
    const auto& part = (*leftOut)[static_cast<std::size_t>(cell)];
    if (!part) return {};
    return [=, part = *part] {
      return metricAcross(model->config(), passAtHand(asItIsWords, whole),
                          passAgain(leftOutWords(part, as), model, *whole,
                                    withOneMore(standing, leftOutAs(as, *whole, part))),
                          metric);
    };
  };
}

// Products of the part's numbers in the open pass and their gradients.
TensorSet::DerivationOf AblationMap::madeOfEstimates() const {
  return [whole = trace_, gradients = gradients_, leftOut = leftOut_, as = as_,
          columns = columns()](const auto& at) -> std::optional<Derivation> {
    const int cell = at[0] * columns + at[1];
    const auto& part = (*leftOut)[static_cast<std::size_t>(cell)];
    if (!part || !gradients) return std::nullopt;
    return derivedEstimate(*whole, *gradients, *part, as);
  };
}

std::shared_ptr<const TensorSet> AblationMap::measured() const {
  auto set = gradients_ ? std::make_shared<TensorSet>(*gradients_) : std::make_shared<TensorSet>();
  const bool isMean = as_ == AblationKind::Mean;
  const std::string at = byPosition_ ? " at this position" : "",
                    without =
                        (isMean ? "when this component is mean-ablated" : "when this component is ablated") +
                        at;
  const char* const letters = byPosition_ ? "YT" : "YZ";
  const ModelConfig& config = model_->config();
  const std::string changed = isMean ? "with its mean" : "without";
  for (std::size_t i = 0; i < metrics_.size(); ++i)
    set->addAcross({causal::at(causal::numbers[i].tensor, byPosition_), letters,
                    wordsOf(metrics_[i], config) + " " + without, equationOf(metrics_[i], config, changed)},
                   changes_[i], acrossCells(metrics_[i]));
  const std::string gradient = isMean ? "(x̄ − x) · ∂y / ∂x" : "−x · ∂y / ∂x",
                    estimate = causal::at(causal::estimate, byPosition_);
  const Metric& metric = metrics_[estimated_];
  set->add(
      {estimate, letters, "gradient estimate of the " + wordsOf(metric, config) + " " + without, gradient},
      estimates_, madeOfEstimates());
  Tensor errors = estimates_;
  std::ranges::transform(errors.values(), changes_[estimated_].values(), errors.values().begin(),
                         std::minus<>());
  set->add({causal::at(causal::error, byPosition_), letters, "error of that estimate",
            gradient + " − (" + equationOf(metric, config, changed) + ")"},
           std::move(errors),
           [estimates = (*set)[estimate],
            exact = (*set)[causal::at(causal::numbers[estimated_].tensor, byPosition_)]](const auto& at) {
             return derivedDifference(&estimates(at[0], at[1]), &exact(at[0], at[1]));
           });
  return set;
}

bool AblationMap::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob&) {
  const bool isThere = snapshot.pass->hasTrace() && !snapshot.isDifference() &&
                       snapshot.pass->predicted.entry >= 0 &&
                       snapshot.pass->predicted.position < snapshot.pass->trace->tokenCount();
  if (!isThere || isMoving(of.workspace, snapshot) || isOf(of, snapshot)) return false;
  if (model_ != of.model.shown->transformer) {
    model_ = of.model.shown->transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
  }
  const bool isOtherEstimate = changesAreOf(of, snapshot);
  estimated_ = metricEstimated(of.workspace.settings, snapshot.pass->trace->tokenCount());
  gradients_ = nullptr;
  if (isOtherEstimate) return true;
  ask(of, snapshot);
  const ModelConfig& config = of.model.config();
  const int columns = byPosition_ ? trace_->tokenCount() : causalColumns(config);
  leftOut_ =
      std::make_shared<const Changes>(byPosition_ ? everyPartAt(config, columns) : everyPartOff(config));
  estimates_ = Tensor({static_cast<int>(leftOut_->size()) / columns, columns},
                      std::vector<float>(leftOut_->size(), NAN));
  changes_.assign(metrics_.size(), estimates_);
  order_.clear(), next_ = 0;
  return true;
}

void AblationMap::ask(const MeasuredModel& of, const Snapshot& snapshot) {
  trace_ = snapshot.pass->trace, interventions_ = of.workspace.interventions;
  metrics_ = metricsAsked(of, snapshot);
  byPosition_ = leavesOutByPosition(of.workspace.settings), as_ = chosenAs(of.workspace.settings);
}

// The best guesses first.
void AblationMap::takeUpEstimates() {
  auto gradients = std::make_shared<TensorSet>();
  const std::vector<float> estimates =
      estimateLeftOut(*model_, *trace_, interventions_, *leftOut_, metrics_[estimated_], *gradients, as_);
  gradients_ = std::move(gradients);
  std::ranges::copy(estimates, estimates_.values().begin());
  if (!order_.empty()) return;
  order_.resize(estimates.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, std::greater<>(), [&](int cell) {
    const float estimate = estimates[static_cast<std::size_t>(cell)];
    return std::isnan(estimate) ? 0 : std::abs(estimate);
  });
}

void AblationMap::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                          const std::function<void()>& more) {
  if (!trace_ || !isOf(of, snapshot)) return;
  const int count = leftOut_ ? static_cast<int>(leftOut_->size()) : 0;
  if (next_ == count && gradients_) return;
  const ProgressCallback watch = begin(doing);
  if (!gradients_) {
    takeUpEstimates();
    more();
  }
  std::vector<MetricOfPass> whole;
  for (const Metric& metric : metrics_) whole.emplace_back(model_->config(), *trace_, metric);
  for (; next_ < count; ++next_) {
    if (!watch(next_, count)) return;
    const int cell = order_[static_cast<std::size_t>(next_)], row = cell / columns(),
              column = cell % columns();
    const auto& part = (*leftOut_)[static_cast<std::size_t>(cell)];
    if (!part) continue;
    const auto without = pass_->run(
        trace_->tokens(), withOneMore(interventions_, leftOutAs(as_, *trace_, *part)), trace_->source());
    for (std::size_t i = 0; i < metrics_.size(); ++i)
      changes_[i](row, column) = whole[i].changeTo({model_->config(), *without, metrics_[i]});
    more();
  }
}

}  // namespace glassformer
