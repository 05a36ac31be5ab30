#include "app/explain/explain.h"

#include <array>
#include <cmath>

#include "app/drawing/scene_input.h"
#include "app/explain/terms.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

bool agrees(float a, float b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b || (std::isnan(a) && std::isnan(b));
  return std::abs(a - b) <= 2e-3f * (1 + std::abs(b));
}

// The cell of one side that a cell of the difference came from.
std::optional<float> valueOnSide(const Snapshot& side, const Snapshot& difference, const TensorRef& cell,
                                 int Alignment::Column::*text) {
  const TensorSources sources = sourcesOf(side);
  const TracePoint* point = sources.point(cell.tensor);
  if (!point) return std::nullopt;
  TensorRef own = cell;
  for (std::size_t d = 0; d < point->letters.size(); ++d)
    if (const char letter = point->letters[d]; letter == 'T' || letter == 'S') {
      const Stream stream = letter == 'T' ? point->rows : point->keys;
      own.index[d] = difference.sides->alignments.of(stream)[cell.index[d]].*text;
      if (own.index[d] < 0) return std::nullopt;
    }
  return valueOf(sources, own);
}

std::optional<Explanation> explainDifference(const Snapshot& difference, const Target& target) {
  const auto a = valueOnSide(*difference.sides->a, difference, target.cell, &Alignment::Column::a);
  const auto b = valueOnSide(*difference.sides->b, difference, target.cell, &Alignment::Column::b);
  Explanation explanation;
  explanation.lines = {"this − the other", "= " + (a ? formatted(*a) : "nothing here") + " − " +
                                               (b ? formatted(*b) : "nothing there")};
  if (a && b) explanation.result = *a - *b;
  if (a && b) explanation.lines.back() += " = " + formatted(*a - *b);
  return explanation;
}

}  // namespace

std::optional<Explanation> explain(const Snapshot& snapshot, const Target& target) {
  if (target.cell.empty() || !snapshot.model->config) return std::nullopt;
  const TensorSources sources = sourcesOf(snapshot);
  const auto value = valueOf(sources, target.cell);
  if (!value) return std::nullopt;
  const auto derivation = sources.derive(target.cell);
  if (!derivation) return snapshot.isDifference() ? explainDifference(snapshot, target) : std::nullopt;
  Explanation explanation = explained(*derivation);
  if (explanation.lines.back().starts_with("="))
    explanation.lines.back() += " = " + formatted(*explanation.result);
  explanation.overridden = !agrees(*explanation.result, *value);
  return explanation;
}

}  // namespace glassformer
