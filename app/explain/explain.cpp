#include "app/explain/explain.h"

#include <array>
#include <cmath>

#include "app/explain/operands.h"
#include "app/explain/terms.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

bool fits(const ExplanationRule& rule, std::string_view tensor) {
  return rule.part.ends_with('.') ? tensor.starts_with(rule.part) : tensor == rule.part;
}

const ExplanationRule* ruleFor(std::string_view tensor) {
  for (const auto family : {trainingRules(), beamRules()})
    for (const ExplanationRule& rule : family)
      if (fits(rule, tensor)) return &rule;
  return nullptr;
}

// Numbers say themselves what made them; for what is measured and does not there are rules.
std::optional<Explanation> explainedBy(const Operands& o) {
  if (const auto derivation = o.sources.derive(o.cell)) return explained(*derivation);
  const ExplanationRule* rule = ruleFor(o.cell.tensor);
  return rule ? rule->explain(o) : std::nullopt;
}

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

// Nodes of two trees correspond by what they add to their texts.
std::optional<Explanation> explainBeams(const Snapshot& difference, const Target& target) {
  if (target.cell.tensor != "beam.difference.score") return std::nullopt;
  const TensorSources sources = sourcesOf(difference);
  const auto here = valueOf(sources, {"beam.here.score", target.cell.index}),
             there = valueOf(sources, {"beam.there.score", target.cell.index});
  if (!here || !there) return std::nullopt;
  return Explanation{
      {"score here − score in the other text",
       "= " + formatted(*here) + " − " + formatted(*there) + " = " + formatted(*here - *there)},
      *here - *there,
      false};
}

std::optional<Explanation> explainDifference(const Snapshot& difference, const Target& target) {
  if (target.cell.tensor.starts_with("beam.")) return explainBeams(difference, target);
  if (!valueOf(sourcesOf(difference), target.cell)) return std::nullopt;
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
  if (snapshot.isDifference()) return explainDifference(snapshot, target);
  const Operands operands(snapshot, target);
  const auto value = valueOf(operands.sources, target.cell);
  if (!value) return std::nullopt;
  auto explanation = explainedBy(operands);
  if (!explanation || !explanation->result) return explanation;
  if (explanation->lines.back().starts_with("="))
    explanation->lines.back() += " = " + formatted(*explanation->result);
  explanation->overridden = !agrees(*explanation->result, *value);
  return explanation;
}

}  // namespace glassformer
