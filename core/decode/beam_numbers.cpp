#include "core/decode/beam_numbers.h"

#include <cmath>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

Tensor numbersOf(const BeamTree& tree, double BeamNode::*number) {
  Tensor numbers({static_cast<int>(tree.nodes.size())});
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    numbers.values()[i] = static_cast<float>(tree.nodes[i].*number);
  return numbers;
}

}  // namespace

void measureBeam(const BeamTree& tree, TensorSet& measurements, TensorSet::AcrossOf acrossPrefixes) {
  Tensor probability = numbersOf(tree, &BeamNode::logProbability);
  for (float& p : probability.values()) p = std::exp(p);
  measurements.addAcross(
      {"beam.probability", "N", "probability of the node's token after its prefix", "p = softmax(logits)"},
      std::move(probability), std::move(acrossPrefixes));

  const TensorView p = measurements["beam.probability"];
  measurements.add({"beam.log_probability", "N", "log-probability of the node's token", "ln p"},
                   numbersOf(tree, &BeamNode::logProbability),
                   [p](const auto& node) { return derivedLogarithm(&p(node[0])); });

  std::vector<int> parents, depths;
  for (const BeamNode& node : tree.nodes) parents.push_back(node.parent), depths.push_back(node.depth);
  Tensor sums = numbersOf(tree, &BeamNode::cumulative);
  const TensorView logP = measurements["beam.log_probability"], before = sums.view();
  measurements.add({"beam.cumulative", "N", "log-probability of the whole hypothesis", "log P = Σ ln p"},
                   std::move(sums), [=](const auto& node) -> std::optional<Derivation> {
                     const int parent = parents[static_cast<std::size_t>(node[0])];
                     if (parent < 0) return std::nullopt;
                     return Derivation{.terms = {{&before(parent)}, {&logP(node[0])}}};
                   });

  const TensorView sum = measurements["beam.cumulative"];
  measurements.add(
      {"beam.score", "N", "what hypotheses are ranked by", "log P / nᵅ"}, numbersOf(tree, &BeamNode::score),
      [=, alpha = tree.lengthPenalty](const auto& node) -> std::optional<Derivation> {
        const int n = depths[static_cast<std::size_t>(node[0])];
        if (n == 0) return std::nullopt;
        return Derivation{.terms = {{&sum(node[0]), nullptr, std::pow(static_cast<float>(n), -alpha)}}};
      });
}

}  // namespace glassformer
