#include "app/engine/causal_map.h"

#include <cmath>

#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"

namespace glassformer {

std::vector<CausalRow> causalRows(const ModelConfig& config) {
  std::vector<CausalRow> rows;
  for (int layer = 0; config.reads() && layer < config.layers; ++layer)
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

bool CausalMap::isOf(const MeasuredModel& of, const Snapshot& snapshot) const {
  return model_ == of.model.transformer && trace_ == snapshot.trace && prediction_ == snapshot.predicted &&
         interventions_ == of.workspace.interventions;
}

void CausalMap::show(const MeasuredModel& of, Snapshot& snapshot) const {
  snapshot.kept = nullptr, snapshot.keptMissing.clear();
  if (snapshot.isDifference())
    snapshot.keptMissing = "side by side shows what the open text's prediction needs";
  if (snapshot.other) {
    auto other = std::make_shared<Snapshot>(*snapshot.other);
    other->kept = nullptr, other->keptMissing = "this is computed for the open text alone";
    snapshot.other = std::move(other);
  }
  if (!trace_ || !isOf(of, snapshot)) return;
  auto set = std::make_shared<TensorSet>();
  set->add({causal::logit, "YZ", "what the predicted logit changes by without this part", "z without − z"},
           logits_);
  set->add({causal::divergence, "YZ", "how far the distribution moves without this part",
            "KL(p ‖ p without), in nats"},
           divergences_);
  snapshot.kept = std::move(set);
}

bool CausalMap::prepare(const MeasuredModel& of, const Snapshot& snapshot, const Begin&) {
  const bool isThere = snapshot.hasTrace() && !snapshot.isDifference() && snapshot.predicted.entry >= 0 &&
                       snapshot.predicted.position < snapshot.trace->tokenCount();
  if (!isThere || isMoving(of.workspace, snapshot) || isOf(of, snapshot)) return false;
  if (model_ != of.model.transformer) {
    model_ = of.model.transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
  }
  trace_ = snapshot.trace, prediction_ = snapshot.predicted, interventions_ = of.workspace.interventions;
  const int rows = static_cast<int>(causalRows(of.model.config()).size()),
            columns = causalColumns(of.model.config());
  logits_ = Tensor({rows, columns}, std::vector<float>(static_cast<std::size_t>(rows * columns), NAN));
  divergences_ = logits_;
  next_ = 0;
  return true;
}

void CausalMap::measure(const MeasuredModel& of, const Snapshot& snapshot, const Begin& begin,
                        const std::function<void()>& more) {
  if (!trace_ || !isOf(of, snapshot)) return;
  const ModelConfig& config = of.model.config();
  const std::vector<CausalRow> rows = causalRows(config);
  const int columns = causalColumns(config), count = static_cast<int>(rows.size()) * columns;
  if (next_ == count) return;
  const Watch watch = begin(doing);
  for (; next_ < count; ++next_) {
    if (!watch(next_, count)) return;
    const int row = next_ / columns, column = next_ % columns;
    const auto part = causalPart(config, rows[static_cast<std::size_t>(row)], column);
    if (!part) continue;
    const LeftOut without = leaveOut(*pass_, *trace_, interventions_, switchedOff(*part), prediction_);
    logits_(row, column) = without.logit, divergences_(row, column) = without.divergence;
    more();
  }
}

}  // namespace glassformer
