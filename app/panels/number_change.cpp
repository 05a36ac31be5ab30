#include "app/panels/number_change.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/document/switches.h"
#include "core/lens/attention_stages.h"
#include "core/lens/scores.h"

namespace glassformer {

namespace {

constexpr const char *patternPoint = "hook_pattern", *scoresPoint = "hook_attn_scores";

float finite(float value) { return std::isfinite(value) ? value : 0; }

std::span<const int> indexOf(const TensorRef& cell, int rank) {
  return {cell.index.data(), static_cast<std::size_t>(rank)};
}

bool isInside(const TensorView& tensor, const TensorRef& cell) {
  for (int d = 0; d < tensor.rank; ++d)
    if (cell.index[static_cast<std::size_t>(d)] >= tensor.extent[static_cast<std::size_t>(d)]) return false;
  return true;
}

// The shortest text that is read as this very number.
std::string exactly(float value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

NumberChange changeOfWeight(const Ui& ui, const TensorRef& cell, const TensorView& weights) {
  const std::span<const int> index = indexOf(cell, weights.rank);
  const std::string field = WeightCell{cell.tensor, {index.begin(), index.end()}}.field();
  const ModelChanges& changes = ui.workspace().changes;
  const ModelConfig loaded = *ui.snapshot.model->loadedConfig;
  NumberChange change;
  change.value = typedWeight(changes, field).value_or(weights.at(cell.index));
  change.options = {.low = -1000, .high = 1000, .step = 0.05f, .decimals = 3};
  change.to = [=](float value, std::string gesture) {
    return commands::setModelChanges(withChange(changes, loaded, field, exactly(value)), std::move(gesture));
  };
  if (typedWeight(changes, field))
    change.back = commands::setModelChanges(withChange(changes, loaded, field, ""));
  return change;
}

NumberChange changeOfValue(const Ui& ui, const TensorRef& cell, const TensorView& values) {
  const Intervention held = heldAt(cell.tensor, indexOf(cell, values.rank), 0);
  NumberChange change;
  change.value = finite(values.at(cell.index));
  change.options = {.low = -1000, .high = 1000, .step = 0.1f, .decimals = 2};
  change.to = [held](float value, std::string gesture) {
    Intervention at = held;
    at.value = value;
    return commands::holdNumber(std::move(at), std::move(gesture));
  };
  if (holdOf(ui.workspace().interventions, held)) change.back = commands::letGo(held);
  return change;
}

// By the score, which the softmax makes it of; nothing where that is masked, or the row's only one.
std::optional<NumberChange> changeOfWeightOfAttention(const Ui& ui, const TensorRef& cell) {
  constexpr float least = 0.001f;
  TensorRef score = cell;
  score.tensor.replace(score.tensor.rfind(patternPoint), std::string_view(patternPoint).size(), scoresPoint);
  const Trace& trace = *ui.snapshot.pass->trace;
  const TensorView row = trace[score.tensor][cell.index[0]][cell.index[1]];
  const int key = cell.index[2];
  if (!std::isfinite(row(key)) || !scoreForWeight(row, key, 0.5f)) return std::nullopt;
  NumberChange change = changeOfValue(ui, score, trace[score.tensor]);
  change.value = trace[cell.tensor].at(cell.index);
  change.options = {.low = least, .high = 1 - least, .step = 0.01f, .decimals = 3};
  const std::vector<float> scores(row.data, row.data + row.extent[0]);
  change.to = [scores, key, hold = change.to](float value, std::string gesture) {
    const int count = static_cast<int>(scores.size());
    return hold(*scoreForWeight({scores.data(), {count}}, key, value), std::move(gesture));
  };
  return change;
}

}  // namespace

std::optional<NumberChange> changeOf(const Ui& ui, const Target& target) {
  const Snapshot& snapshot = ui.snapshot;
  const TensorRef& cell = target.cell;
  if (target.source == Target::Source::Other || snapshot.isDifference()) return std::nullopt;
  if (!snapshot.pass->hasTrace() || cell.empty() || snapshot.model->hasNoWeights()) return std::nullopt;
  const TensorSet* weights = snapshot.pass->trace->weights();
  if (weights && weights->contains(cell.tensor)) {
    const bool isTrained = snapshot.training->run != nullptr || !snapshot.model->loadedConfig;
    const TensorView view = (*weights)[cell.tensor];
    return isTrained || !isInside(view, cell) ? std::nullopt : std::optional(changeOfWeight(ui, cell, view));
  }
  if (!snapshot.pass->trace->contains(cell.tensor) || cell.tensor.ends_with("hook_scale"))
    return std::nullopt;
  const TensorView values = (*snapshot.pass->trace)[cell.tensor];
  if (!isInside(values, cell)) return std::nullopt;
  const AttentionSite site = placeOfPoint(cell.tensor).site();
  const bool isSoftmax = cell.tensor.ends_with(patternPoint) && hasSoftmax(*snapshot.model->config) &&
                         !isMaskedAfter(*snapshot.model->config, site);
  return isSoftmax ? changeOfWeightOfAttention(ui, cell) : std::optional(changeOfValue(ui, cell, values));
}

}  // namespace glassformer
