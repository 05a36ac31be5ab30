#include "app/explain/operands.h"

#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

namespace {

const BeamNode* nodeOf(const Operands& o) {
  const auto i = static_cast<std::size_t>(o.cell.index[0]);
  const auto& tree = o.snapshot.decoded->beam;
  return tree && i > 0 && i < tree->nodes.size() ? &tree->nodes[i] : nullptr;
}
std::optional<Explanation> hypothesis(const Operands& o) {
  const BeamNode* node = nodeOf(o);
  if (!node) return std::nullopt;
  const float before = o.at("beam.cumulative", {node->parent}),
              p = o.at("beam.probability", {o.cell.index[0]});
  return Explanation{{"= " + formatted(before) + " + ln " + formatted(p)}, before + std::log(p), false};
}
std::optional<Explanation> hypothesisScore(const Operands& o) {
  const BeamNode* node = nodeOf(o);
  if (!node) return std::nullopt;
  const float total = o.at("beam.cumulative", o.cell.index);
  // The penalty it was ranked with is in the numbers themselves.
  return Explanation{
      {"= " + formatted(total) + " / nᵅ with n = " + std::to_string(node->depth)}, std::nullopt, false};
}

constexpr ExplanationRule beamTable[] = {
    {"beam.cumulative", hypothesis},
    {"beam.score", hypothesisScore},
};

}  // namespace

std::span<const ExplanationRule> beamRules() { return beamTable; }

}  // namespace glassformer
