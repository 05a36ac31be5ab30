#include "core/decode/beam_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace glassformer {
namespace {

class Search {
 public:
  Search(const NextTokenLogits& logits, std::span<const int> prompt, const BeamSettings& settings)
      : logits_(logits), prompt_(prompt.begin(), prompt.end()), settings_(settings) {
    assert(!prompt.empty() && settings.width > 0);
    tree_.nodes.push_back({.greedy = true});
    tree_.groups = std::clamp(settings.groups, 1, settings.width),
    tree_.lengthPenalty = settings.lengthPenalty;
    beams_.assign(at(tree_.groups), {0});
  }

  BeamTree run(const ProgressCallback& watch) {
    const int room = settings_.context - static_cast<int>(prompt_.size()) + 1;
    const int deepest = std::min(settings_.depth, room);
    calls_ = callsBefore(deepest + 1);
    for (int depth = 1; depth <= deepest; ++depth) {
      if (std::ranges::all_of(beams_, [&](const auto& beam) { return isOver(beam); })) break;
      call_ = callsBefore(depth);
      taken_.clear();
      for (int group = 0; group < static_cast<int>(beams_.size()) && !tree_.cancelled; ++group)
        advance(depth, group, watch);
      if (tree_.cancelled) break;
      noteEnd(depth);
      if (settings_.stopsEarly && tree_.firstEnded >= 0) break;
    }
    if (!tree_.cancelled) watch(calls_, calls_);
    tree_.hypotheses = wholeBeam();
    std::ranges::stable_sort(tree_.hypotheses, std::greater{}, [&](int n) {
      return std::pair(node(n).state != BeamState::DeadEnd, node(n).score);
    });
    tree_.best = tree_.hypotheses.front();
    return std::move(tree_);
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  BeamNode& node(int i) { return tree_.nodes[at(i)]; }
  // Of the model, at most: one for the text, then one for each hypothesis.
  int callsBefore(int depth) const { return depth < 2 ? 0 : 1 + (depth - 2) * settings_.width; }
  bool finished(int n) { return node(n).state == BeamState::Finished || node(n).state == BeamState::DeadEnd; }
  bool isOver(const std::vector<int>& beam) {
    return std::ranges::all_of(beam, [&](int n) { return finished(n); });
  }
  std::size_t widthOf(int group) const {
    const int groups = static_cast<int>(beams_.size());
    return at(settings_.width / groups + (group < settings_.width % groups));
  }
  std::vector<int> wholeBeam() const {
    std::vector<int> all;
    for (const std::vector<int>& beam : beams_) all.insert(all.end(), beam.begin(), beam.end());
    return all;
  }

  // One depth of one group, which knows what the groups before it took there.
  void advance(int depth, int group, const ProgressCallback& watch) {
    std::vector<int>& beam = beams_[at(group)];
    if (isOver(beam)) return;
    std::vector<int> candidates;
    for (const int n : beam) {
      if (finished(n)) {
        stay(n, candidates);  // in the beam, and is compared with those that go on
        continue;
      }
      if (n > 0 || rootAnswer_.empty())
        if (tree_.cancelled = !watch(call_++, calls_); tree_.cancelled) return;
      expand(n, group, candidates);
    }
    if (candidates.empty()) return;  // dead ends are all there is
    beam = prune(std::move(candidates), widthOf(group));
    for (const int n : beam)
      if (node(n).depth == depth) ++taken_[node(n).token];  // not those that ended earlier
  }
  void stay(int n, std::vector<int>& candidates) {
    node(n).ranked = node(n).score;  // it has no siblings any more
    candidates.push_back(n);
  }

  std::vector<double> answer(int n) {
    if (n == 0 && !rootAnswer_.empty()) return rootAnswer_;
    std::vector<int> tokens = prompt_;
    for (const int token : tree_.path(n)) tokens.push_back(token);
    std::vector<double> logProbability = logSoftmax(logits_(tokens));
    if (n == 0) rootAnswer_ = logProbability;
    return logProbability;
  }

  // Appends the most probable continuations of a hypothesis.
  void expand(int parent, int group, std::vector<int>& candidates) {
    const std::vector<double> logProbability = answer(parent);
    const BeamNode from = node(parent);
    const double length = std::pow(from.depth + 1, settings_.lengthPenalty);
    const std::vector<int> added = tree_.path(parent);
    const int vocabulary = static_cast<int>(logProbability.size());
    const std::vector<int> order = firstOf(diverse(logProbability, length), added);
    if (order.empty()) return end(parent, settings_.constraint.deadEnd(added, vocabulary), candidates);
    for (std::size_t i = 0; i < order.size(); ++i) {
      BeamNode next{.parent = parent, .token = order[i], .depth = from.depth + 1, .group = group};
      next.logProbability = logProbability[at(next.token)];
      next.cumulative = from.cumulative + next.logProbability;
      next.score = next.cumulative / length;
      next.repeats = repeatsOf(next.token);
      next.ranked = next.score - settings_.siblingPenalty * static_cast<double>(i) -
                    settings_.groupPenalty * next.repeats;
      next.greedy = from.greedy && i == 0 && group == 0;
      candidates.push_back(static_cast<int>(tree_.nodes.size()));
      tree_.nodes.push_back(next);
    }
  }

  // A text that nothing goes on from is whole, or can never be.
  void end(int n, const std::optional<DeadEnd>& deadEnd, std::vector<int>& candidates) {
    if (!deadEnd) {
      node(n).state = BeamState::Finished;
      return stay(n, candidates);
    }
    if (!tree_.deadEndAt(n)) tree_.deadEnds.emplace_back(n, *deadEnd);
    node(n).state = BeamState::DeadEnd;
  }

  int repeatsOf(int token) const {
    const auto found = taken_.find(token);
    return found == taken_.end() ? 0 : found->second;
  }
  // ln p − λ · repeats · nᵅ: in the order in which its continuations are ranked.
  std::vector<double> diverse(std::vector<double> logProbability, double length) const {
    for (const auto& [token, repeats] : taken_)
      logProbability[at(token)] -= settings_.groupPenalty * repeats * length;
    return logProbability;
  }

  // The tokens that may follow a hypothesis, the greatest of these values first.
  std::vector<int> firstOf(const std::vector<double>& value, const std::vector<int>& added) const {
    std::vector<int> order(value.size());
    std::iota(order.begin(), order.end(), 0);
    if (!settings_.constraint.isOff()) {
      const auto may = settings_.constraint.allowed(added, static_cast<int>(order.size()));
      std::erase_if(order, [&](int token) { return !may[at(token)]; });
    }
    const int wanted = settings_.candidates > 0 ? settings_.candidates : std::max(8, 2 * settings_.width);
    const std::size_t kept = std::min(order.size(), at(std::max(settings_.width, wanted)));
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
        [&](int a, int b) { return value[at(a)] != value[at(b)] ? value[at(a)] > value[at(b)] : a < b; });
    order.resize(kept);
    return order;
  }

  // Ranks the candidates of one depth, keeps the best of them and notes for the others what beat them.
  std::vector<int> prune(std::vector<int> candidates, std::size_t width) {
    std::ranges::stable_sort(candidates, std::greater{}, [&](int n) { return node(n).ranked; });
    const auto kept = std::min(candidates.size(), width);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      BeamNode& ranked = node(candidates[i]);
      ranked.rank = static_cast<int>(i) + 1;
      if (i < kept) {
        const bool ended = settings_.endOfText.contains(ranked.token);
        if (ranked.state != BeamState::Finished) ranked.state = ended ? BeamState::Finished : BeamState::Kept;
      } else {
        ranked.state = BeamState::Pruned;
        ranked.beatenBy = candidates[kept - 1];
      }
    }
    candidates.resize(kept);
    return candidates;
  }

  void noteEnd(int depth) {
    const std::vector<int> beam = wholeBeam();
    const int best = *std::ranges::max_element(beam, {}, [&](int n) { return node(n).score; });
    if (tree_.firstEnded >= 0 || node(best).state != BeamState::Finished) return;
    tree_.firstEnded = best, tree_.endedAt = depth;
  }

  const NextTokenLogits& logits_;
  std::vector<int> prompt_;
  BeamSettings settings_;
  BeamTree tree_;
  std::vector<std::vector<int>> beams_;  // per group
  std::map<int, int> taken_;             // at this depth, by the groups before: hypotheses by their token
  std::vector<double> rootAnswer_;       // which every group begins with
  int call_ = 0, calls_ = 0;
};

}  // namespace

std::vector<int> BeamTree::path(int node) const {
  std::vector<int> tokens;
  for (; node > 0; node = nodes[static_cast<std::size_t>(node)].parent)
    tokens.push_back(nodes[static_cast<std::size_t>(node)].token);
  std::ranges::reverse(tokens);
  return tokens;
}

const DeadEnd* BeamTree::deadEndAt(int node) const {
  const auto found = std::ranges::find(deadEnds, node, &std::pair<int, DeadEnd>::first);
  return found == deadEnds.end() ? nullptr : &found->second;
}

BeamTree beamSearch(const NextTokenLogits& logits, std::span<const int> prompt, const BeamSettings& settings,
                    const ProgressCallback& watch) {
  return Search(logits, prompt, settings).run(watch);
}

}  // namespace glassformer
