#include "core/decode/beam_difference.h"

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

std::size_t at(int node) { return static_cast<std::size_t>(node); }

struct Numbers {
  Tensor probability, score;
};

Numbers numbersOf(const BeamTree& tree, const std::vector<int>& nodes) {
  const auto count = static_cast<int>(nodes.size());
  Numbers numbers{Tensor({count}), Tensor({count})};
  for (int i = 0; i < count; ++i) {
    const int node = nodes[at(i)];
    numbers.probability(i) =
        node < 0 ? nothing : static_cast<float>(std::exp(tree.nodes[at(node)].logProbability));
    numbers.score(i) = node < 0 ? nothing : static_cast<float>(tree.nodes[at(node)].score);
  }
  return numbers;
}

}  // namespace

BeamUnion uniteBeams(const BeamTree& a, const BeamTree& b) {
  BeamUnion both;
  both.tree = a;
  std::map<std::tuple<int, int, int>, int> child;  // of a node, by its token and group
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    both.tree.nodes[i].beatenBy = -1;  // ranks of two searches cannot be told in one
    both.a.push_back(static_cast<int>(i)), both.b.push_back(-1);
    child[{a.nodes[i].parent, a.nodes[i].token, a.nodes[i].group}] = static_cast<int>(i);
  }
  std::vector<int> united;  // per node of b
  for (std::size_t i = 0; i < b.nodes.size(); ++i) {
    BeamNode node = b.nodes[i];
    node.parent = node.parent < 0 ? -1 : united[at(node.parent)];
    node.beatenBy = -1;
    const auto [found, isNew] =
        child.try_emplace({node.parent, node.token, node.group}, static_cast<int>(both.tree.nodes.size()));
    united.push_back(found->second);
    if (isNew) {
      both.tree.nodes.push_back(node);
      both.a.push_back(-1), both.b.push_back(static_cast<int>(i));
      continue;
    }
    both.b[at(found->second)] = static_cast<int>(i);
    BeamNode& shared = both.tree.nodes[at(found->second)];
    if (shared.state == BeamState::Pruned) shared.state = node.state;
  }
  both.bestOfB = b.best < 0 ? -1 : united[at(b.best)];
  return both;
}

void measureBeamDifference(const BeamUnion& both, const BeamTree& a, const BeamTree& b,
                           TensorSet& measurements) {
  const auto add = [&](const std::string& side, const std::string& whose, Numbers numbers) {
    measurements.add(
        {side + ".probability", "N", "probability of the node's token " + whose, "p = softmax(logits)"},
        std::move(numbers.probability));
    measurements.add({side + ".score", "N", "score of the hypothesis " + whose, "log P / nᵅ"},
                     std::move(numbers.score));
    return measurements[side + ".score"];
  };
  const TensorView here = add("beam.here", "in this text", numbersOf(a, both.a)),
                   there = add("beam.there", "in the other text", numbersOf(b, both.b));
  addDerived(measurements,
             {"beam.difference.score", "N", "score of the hypothesis here, minus that in the other text",
              "log P_a / nᵅ − log P_b / nᵅ"},
             {here.extent[0]},
             [=](const auto& node) { return derivedDifference(&here(node[0]), &there(node[0])); });
}

}  // namespace glassformer
