#include "core/lens/rollout.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace glassformer {
namespace {

// Â of a block, [T, T], row by row.
using Passed = std::vector<double>;

struct AttendedStack {
  int tokens = 0;
  std::vector<Passed> blocks;
};

AttendedStack passedOn(const Trace& trace, const ModelConfig& config, AttentionSite site) {
  AttendedStack stack;
  for (int layer = 0; layer < blocksAt(config, site); ++layer) {
    const TensorView patterns = trace[attentionPoint(layer, site, "hook_pattern")];
    const int H = patterns.extent[0], T = stack.tokens = patterns.extent[1];
    Passed block;
    for (int t = 0; t < T; ++t) {
      const std::size_t first = block.size();
      for (int s = 0; s < T; ++s) {
        double sum = 0;
        for (int h = 0; h < H; ++h) sum += static_cast<double>(patterns(h, t, s));
        block.push_back(sum / H + (config.residual && s == t ? 1 : 0));
      }
      const double whole =
          std::accumulate(block.begin() + static_cast<std::ptrdiff_t>(first), block.end(), 0.0);
      for (std::size_t i = first; i < block.size() && whole > 0; ++i) block[i] /= whole;
    }
    stack.blocks.push_back(std::move(block));
  }
  return stack;
}

Tensor tensorOfBlocks(const AttendedStack& stack, const std::vector<float>& values) {
  return Tensor({static_cast<int>(stack.blocks.size()), stack.tokens, stack.tokens}, values);
}

// The graph of a stack's first blocks: level 0 are the tokens before the first one, level l + 1 those behind
// block l. Flows go downwards from a token of the highest level; they are found by shortest ways that have
// room, all those of one length at once (Dinic 1970), also back over what flows already.
class FlowGraph {
 public:
  FlowGraph(const AttendedStack& stack, int blocks)
      : tokens_(stack.tokens),
        blocks_(blocks),
        capacity_(stack.blocks.begin(), stack.blocks.begin() + blocks) {}

  double largest(int from, const std::vector<int>& to) {
    left_ = capacity_;
    back_.assign(capacity_.size(), Passed(static_cast<std::size_t>(tokens_ * tokens_), 0.0));
    isEnd_.assign(static_cast<std::size_t>(tokens_), false);
    for (const int token : to) isEnd_[static_cast<std::size_t>(token)] = true;
    double flow = 0;
    while (measureDistances(node(blocks_, from))) {
      next_.assign(distance_.size(), 0);
      while (const double more = push(node(blocks_, from), 1)) flow += more;
    }
    return flow;
  }

 private:
  static constexpr double least = 1e-7;  // less is no room

  int node(int level, int token) const { return level * tokens_ + token; }
  bool isEnd(int at) const { return at < tokens_ && isEnd_[static_cast<std::size_t>(at)]; }
  // What there is room for from a node to its i-th neighbour, below and then above, and what that takes up.
  struct Way {
    int to = 0;
    double *room = nullptr, *against = nullptr;
  };
  Way way(int at, int i) {
    const int level = at / tokens_, token = at % tokens_, other = i % tokens_;
    const bool down = i < tokens_;
    if (down ? level == 0 : level == blocks_) return {};
    const auto block = static_cast<std::size_t>(down ? level - 1 : level);
    const auto edge = static_cast<std::size_t>(down ? token * tokens_ + other : other * tokens_ + token);
    double *left = &left_[block][edge], *back = &back_[block][edge];
    return {node(down ? level - 1 : level + 1, other), down ? left : back, down ? back : left};
  }

  // How many steps each node is away, as far as the nearest end. False where none can be reached.
  bool measureDistances(int from) {
    distance_.assign(static_cast<std::size_t>((blocks_ + 1) * tokens_), -1);
    distance_[static_cast<std::size_t>(from)] = 0;
    std::vector<int> seen{from};
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const int at = seen[i], steps = distance_[static_cast<std::size_t>(at)];
      if (isEnd(at)) return nearest_ = steps, true;
      for (int k = 0; k < 2 * tokens_; ++k)
        if (const Way to = way(at, k); to.room && *to.room > least)
          if (int& other = distance_[static_cast<std::size_t>(to.to)]; other < 0)
            other = steps + 1, seen.push_back(to.to);
    }
    return false;
  }
  // Along one way of that length; ways that have turned out to end nowhere are not tried again.
  double push(int at, double most) {
    const int steps = distance_[static_cast<std::size_t>(at)];
    if (steps == nearest_) return isEnd(at) ? most : 0;
    for (int& k = next_[static_cast<std::size_t>(at)]; k < 2 * tokens_; ++k) {
      const Way to = way(at, k);
      if (!to.room || *to.room <= least || distance_[static_cast<std::size_t>(to.to)] != steps + 1) continue;
      const double pushed = push(to.to, std::min(most, *to.room));
      if (pushed == 0) continue;
      *to.room -= pushed, *to.against += pushed;
      return pushed;
    }
    return 0;
  }

  int tokens_, blocks_, nearest_ = 0;
  std::vector<Passed> capacity_, left_, back_;
  std::vector<bool> isEnd_;
  std::vector<int> distance_, next_;
};

std::vector<int> nextSaidBefore(const AttendedTokens& tokens, int t) {
  const auto next = static_cast<std::size_t>(t) + 1;
  std::vector<int> said;
  for (int s = 0; next < tokens.queries.size() && s < t; ++s)
    if (tokens.keys[static_cast<std::size_t>(s)] == tokens.queries[next]) said.push_back(s);
  return said;
}

}  // namespace

Tensor attentionRollout(const Trace& trace, const ModelConfig& config, AttentionSite site) {
  const AttendedStack stack = passedOn(trace, config, site);
  const auto T = static_cast<std::size_t>(stack.tokens);
  std::vector<float> rollouts;
  Passed rolled(T * T, 0.0);
  for (std::size_t t = 0; t < T; ++t) rolled[t * T + t] = 1;
  for (const Passed& block : stack.blocks) {
    Passed next(T * T, 0.0);
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t r = 0; r < T; ++r)
        for (std::size_t s = 0; s < T; ++s) next[t * T + s] += block[t * T + r] * rolled[r * T + s];
    rolled = std::move(next);
    rollouts.insert(rollouts.end(), rolled.begin(), rolled.end());
  }
  return tensorOfBlocks(stack, rollouts);
}

std::vector<double> claimedFlow(const Trace& trace, const ModelConfig& config, AttentionSite site,
                                const Claims& claims, const Watch& watch) {
  assert(claimsAnything(claims));
  const AttendedStack stack = passedOn(trace, config, site);
  const int L = static_cast<int>(stack.blocks.size());
  std::vector<double> flows;
  for (int blocks = 1; blocks <= L; ++blocks) {
    FlowGraph graph(stack, blocks);
    double sum = 0;
    int rows = 0;
    for (int t = 0; t < stack.tokens; ++t) {
      if (!watch((blocks - 1) * stack.tokens + t, L * stack.tokens)) return {};
      if (const auto& to = claims[static_cast<std::size_t>(t)]; !to.empty())
        sum += graph.largest(t, to), ++rows;
    }
    flows.push_back(sum / rows);
  }
  watch(1, 1);
  return flows;
}

std::vector<HeadHypothesis> tokenClasses() {
  std::vector<HeadHypothesis> classes(headHypotheses().begin(), headHypotheses().end());
  classes.push_back({"next", "next token", "The token that comes next, where it was said before.",
                     "C[t, s] = [s < t and x_s = x_{t + 1}]", nextSaidBefore});
  return classes;
}

}  // namespace glassformer
