#include "core/decode/beam_numbers.h"

#include <cmath>
#include <optional>
#include <vector>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

Tensor numbersOf(const BeamTree& tree, double BeamNode::*number) {
  Tensor numbers({static_cast<int>(tree.nodes.size())});
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    numbers.values()[i] = static_cast<float>(tree.nodes[i].*number);
  return numbers;
}

// What was kept had this much more; NaN for what was kept itself.
Tensor lackingOf(const BeamTree& tree, const TensorView& ranked) {
  Tensor lacking({static_cast<int>(tree.nodes.size())});
  for (int i = 0; i < ranked.extent[0]; ++i) {
    const int winner = tree.nodes[static_cast<std::size_t>(i)].beatenBy;
    lacking(i) = winner < 0 ? NAN : ranked(winner) - ranked(i);
  }
  return lacking;
}

void measureRanks(const BeamTree& tree, TensorSet& measurements) {
  std::vector<float> penalties;
  std::vector<int> winners;
  for (const BeamNode& node : tree.nodes)
    penalties.push_back(static_cast<float>(node.ranked - node.score)), winners.push_back(node.beatenBy);
  const TensorView score = measurements["beam.score"];
  measurements.add(
      {"beam.ranked", "N", "value that its depth is ranked by", "score − γ (k − 1) − λ · repeats"},
      numbersOf(tree, &BeamNode::ranked), [=](const auto& node) {
        Derivation ranked{.terms = {{&score(node[0])}}};
        const float penalty = penalties[static_cast<std::size_t>(node[0])];
        if (penalty != 0) ranked.terms.push_back({nullptr, nullptr, penalty});
        return std::optional(ranked);
      });
  const TensorView ranked = measurements["beam.ranked"];
  measurements.add({"beam.lacking", "N", "score that a pruned hypothesis lacked to stay",
                    "rank value of the last one kept − its own"},
                   lackingOf(tree, ranked), [=](const auto& node) -> std::optional<Derivation> {
                     const int winner = winners[static_cast<std::size_t>(node[0])];
                     if (winner < 0) return std::nullopt;
                     return derivedDifference(&ranked(winner), &ranked(node[0]));
                   });
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
      {"beam.score", "N", "score that ranks the hypotheses", "log P / nᵅ"}, numbersOf(tree, &BeamNode::score),
      [=, alpha = tree.lengthPenalty](const auto& node) -> std::optional<Derivation> {
        const int n = depths[static_cast<std::size_t>(node[0])];
        if (n == 0) return std::nullopt;
        return Derivation{.terms = {{&sum(node[0]), nullptr, std::pow(static_cast<float>(n), -alpha)}}};
      });
  measureRanks(tree, measurements);
}

}  // namespace glassformer
