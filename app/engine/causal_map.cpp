#include "app/engine/causal_map.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/document/attribution_settings.h"
#include "app/document/leave_out_settings.h"
#include "app/document/workspace.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"
#include "core/lens/across_changes.h"
#include "core/lens/patching.h"
#include "core/text/utf8.h"
#include "core/trace/derived.h"

namespace glassformer {

std::vector<CausalRow> causalRows(const ModelConfig& config) {
  std::vector<CausalRow> rows;
  for (int layer = 0; config.reads() && layer < config.encoderBlocks(); ++layer)
    rows.push_back({AttentionSite::Encoder, layer});
  for (int layer = 0; layer < config.layers; ++layer) {
    rows.push_back({ownSite(config), layer});
    if (config.reads()) rows.push_back({AttentionSite::Across, layer});
  }
  return rows;
}

namespace {
int headsOf(const ModelConfig& config) { return config.attends() ? config.heads : 0; }
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
      row.site == AttentionSite::Encoder || row.site == AttentionSite::Across || !config.reads();
  if (!config.hasFeedForward() || !isLast) return std::nullopt;
  const AttentionSite site = row.site == AttentionSite::Across ? ownSite(config) : row.site;
  return ModelPart{ModelPart::Kind::Mlp, row.layer, 0, site};
}

std::string causalRowName(const CausalRow& row) {
  const char* stack = row.site == AttentionSite::Encoder   ? "encoder "
                      : row.site == AttentionSite::Decoder ? "decoder "
                      : row.site == AttentionSite::Across  ? "across "
                                                           : "block ";
  return stack + std::to_string(row.layer);
}

std::string causalColumnName(const ModelConfig& config, int column) {
  const int heads = headsOf(config);
  if (column < heads) return std::to_string(column);
  return column > heads ? "MLP" : heads == 0 ? "mixing" : "all heads";
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
  Intervention off = switchedOff(part);
  off.index[0] = position;
  return off;
}

std::string leftOutWords(const Intervention& off, LeftOutAs as) {
  Intervention everywhere = off;
  everywhere.index[0] = Intervention::every;
  const std::string at = off.index[0] < 0 ? "" : " at position " + std::to_string(off.index[0]);
  return placeWords(everywhere) + (as == LeftOutAs::Mean ? " held at its mean" : " left out") + at;
}

Intervention partAtMean(const ShownPass& pass, const ModelPart& part, const Intervention& off) {
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
      cells.push_back(part ? std::optional(switchedOff(*part)) : std::nullopt);
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

namespace {

AttributedLogit attributed(const MeasuredModel& of, const Snapshot& snapshot) {
  const Prediction predicted = snapshot.pass->predicted;
  return {predicted, chosenAgainst(of.workspace.settings, predicted.entry, of.model.config().vocabulary)};
}

LeftOutAs chosenAs(const ViewSettings& settings) {
  return holdsAtMean(settings) ? LeftOutAs::Mean : LeftOutAs::Zero;
}

}  // namespace

bool CausalMap::isOf(const MeasuredModel& of, const Snapshot& snapshot) const {
  return model_ == of.model.shown->transformer && trace_ == snapshot.pass->trace &&
         of_ == attributed(of, snapshot) && interventions_ == of.workspace.interventions &&
         byPosition_ == leavesOutByPosition(of.workspace.settings) && as_ == chosenAs(of.workspace.settings);
}

void CausalMap::show(const MeasuredModel& of, Snapshot& snapshot) const {
  put(snapshot, {trace_ && isOf(of, snapshot) ? measured() : nullptr}, ofOpenTextAlone());
}

// Every cell compares the open pass with the one without its part, which is not kept.
TensorSet::AcrossOf CausalMap::acrossCells(bool ofDistribution) const {
  return [ofDistribution, model = model_, whole = trace_, standing = interventions_, of = of_, as = as_,
          leftOut = leftOut_, columns = logits_.view().extent[1]](const auto& index) -> OpenPasses {
    const int cell = index[0] * columns + index[1];
    const auto& part = (*leftOut)[static_cast<std::size_t>(cell)];
    if (!part) return {};
    return [=, part = *part] {
      PassAgain with = passAtHand(asItIsWords, whole),
                without = passAgain(leftOutWords(part, as), model, *whole,
                                    withOneMore(standing, leftOutAs(as, *whole, part)));
      return ofDistribution ? divergenceAcross(std::move(with), std::move(without), of.prediction.position)
                            : logitAcross(std::move(with), std::move(without), of);
    };
  };
}

// Products of the part's numbers in the open pass and their gradients.
TensorSet::DerivationOf CausalMap::madeOfEstimates() const {
  return [whole = trace_, gradients = gradients_, leftOut = leftOut_, as = as_,
          columns = logits_.view().extent[1]](const auto& at) -> std::optional<Derivation> {
    const int cell = at[0] * columns + at[1];
    const auto& part = (*leftOut)[static_cast<std::size_t>(cell)];
    if (!part || !gradients) return std::nullopt;
    return derivedEstimate(*whole, *gradients, *part, as);
  };
}

std::shared_ptr<const TensorSet> CausalMap::measured() const {
  auto set = gradients_ ? std::make_shared<TensorSet>(*gradients_) : std::make_shared<TensorSet>();
  const bool isMean = as_ == LeftOutAs::Mean;
  const std::string at = byPosition_ ? " at this position" : "",
                    without = (isMean ? "with the mean of this part in its place" : "without this part") + at;
  const std::string_view gradient = isMean ? "(x̄ − x) · ∂z / ∂x" : "−x · ∂z / ∂x",
                         change = isMean ? "z with its mean − z" : "z without − z";
  const char* const letters = byPosition_ ? "YT" : "YZ";
  set->addAcross({byPosition_ ? causal::logitAt : causal::logit, letters,
                  "what " + predictedWords(of_) + " changes by " + without, std::string(change)},
                 logits_, acrossCells(false));
  set->addAcross({byPosition_ ? causal::divergenceAt : causal::divergence, letters,
                  "how far the distribution moves " + without,
                  isMean ? "KL(p ‖ p with its mean), in nats" : "KL(p ‖ p without), in nats"},
                 divergences_, acrossCells(true));
  set->add({byPosition_ ? causal::estimateAt : causal::estimate, letters,
            "what its gradient says that " + predictedWords(of_) + " changes by " + without,
            std::string(gradient)},
           estimates_, madeOfEstimates());
  Tensor errors = estimates_;
  std::ranges::transform(errors.values(), logits_.values(), errors.values().begin(), std::minus<>());
  set->add({byPosition_ ? causal::errorAt : causal::error, letters,
            "how far that is from what it really changes by",
            std::string(gradient) + " − (" + std::string(change) + ")"},
           std::move(errors),
           [estimates = (*set)[byPosition_ ? causal::estimateAt : causal::estimate],
            logits = (*set)[byPosition_ ? causal::logitAt : causal::logit]](const auto& at) {
             return derivedDifference(&estimates(at[0], at[1]), &logits(at[0], at[1]));
           });
  return set;
}

bool CausalMap::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin&) {
  const bool isThere = snapshot.pass->hasTrace() && !snapshot.isDifference() &&
                       snapshot.pass->predicted.entry >= 0 &&
                       snapshot.pass->predicted.position < snapshot.pass->trace->tokenCount();
  if (!isThere || isMoving(of.workspace, snapshot) || isOf(of, snapshot)) return false;
  if (model_ != of.model.shown->transformer) {
    model_ = of.model.shown->transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
  }
  trace_ = snapshot.pass->trace, of_ = attributed(of, snapshot), interventions_ = of.workspace.interventions;
  byPosition_ = leavesOutByPosition(of.workspace.settings), as_ = chosenAs(of.workspace.settings);
  const ModelConfig& config = of.model.config();
  const int columns = byPosition_ ? trace_->tokenCount() : causalColumns(config);
  leftOut_ =
      std::make_shared<const Changes>(byPosition_ ? everyPartAt(config, columns) : everyPartOff(config));
  logits_ = Tensor({static_cast<int>(leftOut_->size()) / columns, columns},
                   std::vector<float>(leftOut_->size(), NAN));
  divergences_ = logits_, estimates_ = logits_;
  gradients_ = nullptr, order_.clear(), next_ = 0;
  return true;
}

// The best guesses first.
void CausalMap::takeUpOrder() {
  auto gradients = std::make_shared<TensorSet>();
  const std::vector<float> estimates =
      estimateLeftOut(*model_, *trace_, interventions_, *leftOut_, of_, *gradients, as_);
  gradients_ = std::move(gradients);
  std::ranges::copy(estimates, estimates_.values().begin());
  order_.resize(estimates.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, std::greater<>(), [&](int cell) {
    const float estimate = estimates[static_cast<std::size_t>(cell)];
    return std::isnan(estimate) ? 0 : std::abs(estimate);
  });
}

void CausalMap::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                        const std::function<void()>& more) {
  if (!trace_ || !isOf(of, snapshot)) return;
  const int columns = logits_.view().extent[1], count = leftOut_ ? static_cast<int>(leftOut_->size()) : 0;
  if (next_ == count) return;
  const Watch watch = begin(doing);
  if (order_.empty()) {
    takeUpOrder();
    more();
  }
  for (; next_ < count; ++next_) {
    if (!watch(next_, count)) return;
    const int cell = order_[static_cast<std::size_t>(next_)], row = cell / columns, column = cell % columns;
    const auto& leftOut = (*leftOut_)[static_cast<std::size_t>(cell)];
    if (!leftOut) continue;
    const LeftOut without = leaveOut(*pass_, *trace_, interventions_, leftOutAs(as_, *trace_, *leftOut), of_);
    logits_(row, column) = without.logit, divergences_(row, column) = without.divergence;
    more();
  }
}

}  // namespace glassformer
