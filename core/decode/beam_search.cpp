#include "core/decode/beam_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace glassformer {
namespace {

class Search {
 public:
  Search(const NextTokenLogits& logits, std::span<const int> prompt, const BeamSettings& settings)
      : logits_(logits), prompt_(prompt.begin(), prompt.end()), settings_(settings) {
    assert(!prompt.empty() && settings.width > 0);
    tree_.nodes.push_back({.greedy = true});
  }

  BeamTree run(const Watch& watch) {
    std::vector<int> beam{0};
    const int room = settings_.context - static_cast<int>(prompt_.size()) + 1;
    const int deepest = std::min(settings_.depth, room), calls = callsBefore(deepest + 1);
    for (int depth = 1; depth <= deepest && !tree_.cancelled; ++depth) {
      if (std::ranges::all_of(beam, [&](int n) { return finished(n); })) break;
      std::vector<int> candidates;
      int call = callsBefore(depth);
      for (const int node : beam) {
        if (finished(node)) {
          tree_.nodes[at(node)].ranked = tree_.nodes[at(node)].score;  // it has no siblings any more
          candidates.push_back(node);  // stays in the beam and is compared with those that go on
          continue;
        }
        if (!watch(call++, calls)) {
          tree_.cancelled = true;
          break;
        }
        expand(node, candidates);
      }
      if (tree_.cancelled) break;
      beam = prune(candidates);
      noteEnd(beam, depth);
      if (settings_.stopsEarly && tree_.firstEnded >= 0) break;
    }
    if (!tree_.cancelled) watch(calls, calls);
    std::ranges::stable_sort(beam, std::greater{}, [&](int n) { return tree_.nodes[at(n)].score; });
    tree_.best = beam.front();
    tree_.hypotheses = std::move(beam);
    return std::move(tree_);
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  // Of the model, at most: one for the text, then one for each hypothesis.
  int callsBefore(int depth) const { return depth < 2 ? 0 : 1 + (depth - 2) * settings_.width; }
  bool finished(int node) const { return tree_.nodes[at(node)].state == BeamState::Finished; }

  // Appends the most probable continuations of a hypothesis.
  void expand(int parent, std::vector<int>& candidates) {
    std::vector<int> tokens = prompt_;
    for (const int token : tree_.path(parent)) tokens.push_back(token);
    const std::vector<double> logProbability = logSoftmax(logits_(tokens));
    const std::vector<int> order = mostProbable(logProbability, tree_.path(parent));
    if (order.empty()) {  // a text that nothing goes on from is whole
      tree_.nodes[at(parent)].state = BeamState::Finished;
      candidates.push_back(parent);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      const BeamNode from = tree_.nodes[at(parent)];
      BeamNode node{.parent = parent, .token = order[i], .depth = from.depth + 1};
      node.logProbability = logProbability[at(node.token)];
      node.cumulative = from.cumulative + node.logProbability;
      node.score = node.cumulative / std::pow(node.depth, settings_.lengthPenalty);
      node.ranked = node.score - settings_.siblingPenalty * static_cast<double>(i);
      node.greedy = from.greedy && i == 0;
      candidates.push_back(static_cast<int>(tree_.nodes.size()));
      tree_.nodes.push_back(node);
    }
  }

  // Of the tokens that may follow a hypothesis.
  std::vector<int> mostProbable(const std::vector<double>& logProbability,
                                const std::vector<int>& added) const {
    std::vector<int> order(logProbability.size());
    std::iota(order.begin(), order.end(), 0);
    if (!settings_.constraint.isOff()) {
      const auto may = settings_.constraint.allowed(added, static_cast<int>(order.size()));
      std::erase_if(order, [&](int token) { return !may[at(token)]; });
    }
    const int wanted = settings_.candidates > 0 ? settings_.candidates : std::max(8, 2 * settings_.width);
    const std::size_t kept = std::min(order.size(), at(std::max(settings_.width, wanted)));
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      [&](int a, int b) {
                        return logProbability[at(a)] != logProbability[at(b)]
                                   ? logProbability[at(a)] > logProbability[at(b)]
                                   : a < b;
                      });
    order.resize(kept);
    return order;
  }

  // Ranks the candidates of one depth, keeps the best `width` and notes for the others what beat them.
  std::vector<int> prune(std::vector<int>& candidates) {
    std::ranges::stable_sort(candidates, std::greater{}, [&](int n) { return tree_.nodes[at(n)].ranked; });
    const auto kept = std::min(candidates.size(), at(settings_.width));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      BeamNode& node = tree_.nodes[at(candidates[i])];
      node.rank = static_cast<int>(i) + 1;
      if (i < kept) {
        const bool ended = node.token == settings_.endOfText && settings_.endOfText >= 0;
        if (node.state != BeamState::Finished) node.state = ended ? BeamState::Finished : BeamState::Kept;
      } else {
        node.state = BeamState::Pruned;
        node.beatenBy = candidates[kept - 1];
      }
    }
    candidates.resize(kept);
    return candidates;
  }

  void noteEnd(const std::vector<int>& beam, int depth) {
    const int best = *std::ranges::max_element(beam, {}, [&](int n) { return tree_.nodes[at(n)].score; });
    if (tree_.firstEnded >= 0 || !finished(best)) return;
    tree_.firstEnded = best, tree_.endedAt = depth;
  }

  const NextTokenLogits& logits_;
  std::vector<int> prompt_;
  BeamSettings settings_;
  BeamTree tree_;
};

}  // namespace

std::vector<int> BeamTree::path(int node) const {
  std::vector<int> tokens;
  for (; node > 0; node = nodes[static_cast<std::size_t>(node)].parent)
    tokens.push_back(nodes[static_cast<std::size_t>(node)].token);
  std::ranges::reverse(tokens);
  return tokens;
}

BeamTree beamSearch(const NextTokenLogits& logits, std::span<const int> prompt, const BeamSettings& settings,
                    const Watch& watch) {
  return Search(logits, prompt, settings).run(watch);
}

}  // namespace glassformer
