#include "core/lens/rollout.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/lens/largest_flow.h"

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

// C of a block of the decoder, the mean over heads of its attention to the source, [T, S].
Passed lookedAcross(const Trace& trace, int layer) {
  const TensorView patterns = trace[attentionPoint(layer, AttentionSite::Across, "hook_pattern")];
  Passed mean;
  for (int t = 0; t < patterns.extent[1]; ++t)
    for (int s = 0; s < patterns.extent[2]; ++s) {
      double sum = 0;
      for (int h = 0; h < patterns.extent[0]; ++h) sum += static_cast<double>(patterns(h, t, s));
      mean.push_back(sum / patterns.extent[0]);
    }
  return mean;
}

// [T, R] · [R, S]
Passed product(const Passed& a, const Passed& b, int T, int R, int S) {
  Passed made(static_cast<std::size_t>(T * S), 0.0);
  for (int t = 0; t < T; ++t)
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s)
        made[static_cast<std::size_t>(t * S + s)] +=
            a[static_cast<std::size_t>(t * R + r)] * b[static_cast<std::size_t>(r * S + s)];
  return made;
}

// R of every block of a stack.
std::vector<Passed> rolledOut(const AttendedStack& stack) {
  const int T = stack.tokens;
  std::vector<Passed> all;
  for (const Passed& block : stack.blocks)
    all.push_back(all.empty() ? block : product(block, all.back(), T, T, T));
  return all;
}

// What a sublayer keeps of the stream beside what it adds.
double keptOf(const ModelConfig& config) { return config.residual ? 0.5 : 0; }

// The source's share, [T, S] of every block: with what the encoder has brought together looked at across.
std::vector<Passed> rolledAcross(const Trace& trace, const ModelConfig& config) {
  const AttendedStack encoder = passedOn(trace, config, AttentionSite::Encoder),
                      decoder = passedOn(trace, config, AttentionSite::Decoder);
  const Passed memory = rolledOut(encoder).back();
  const int T = decoder.tokens, S = encoder.tokens;
  Passed shares(static_cast<std::size_t>(T * S), 0.0);
  std::vector<Passed> all;
  for (int layer = 0; layer < config.layers; ++layer) {
    const Passed own = product(decoder.blocks[static_cast<std::size_t>(layer)], shares, T, T, S),
                 read = product(lookedAcross(trace, layer), memory, T, S, S);
    const double kept = keptOf(config);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = kept * own[i] + (1 - kept) * read[i];
    all.push_back(shares);
  }
  return all;
}

// Where flows go: a graph whose first nodes are the tokens that are claimed, before the first block.
struct FlowingStack {
  FlowGraph graph;
  std::vector<int> behind;  // of every block the first of its tokens
};

void addWays(std::vector<FlowGraph::Way>& ways, const Passed& room, double share, int from, int to,
             int width) {
  for (std::size_t i = 0; i < room.size(); ++i)
    if (const double each = share * room[i]; each > FlowGraph::least)
      ways.push_back({from + static_cast<int>(i) / width, to + static_cast<int>(i) % width, each});
}

// Level l of a stack's tokens, from `first` on: before its first block, then behind each.
void addStack(std::vector<FlowGraph::Way>& ways, const AttendedStack& stack, int first) {
  const int T = stack.tokens;
  for (int l = 0; l < static_cast<int>(stack.blocks.size()); ++l)
    addWays(ways, stack.blocks[static_cast<std::size_t>(l)], 1, first + (l + 1) * T, first + l * T, T);
}

FlowingStack flowing(const AttendedStack& stack) {
  std::vector<FlowGraph::Way> ways;
  addStack(ways, stack, 0);
  std::vector<int> behind;
  for (std::size_t l = 0; l < stack.blocks.size(); ++l)
    behind.push_back(static_cast<int>(l + 1) * stack.tokens);
  return {FlowGraph((static_cast<int>(stack.blocks.size()) + 1) * stack.tokens, ways), behind};
}

// The encoder's levels first, then those of the decoder, of which each block has two: what looks across
// stands between its own attention and what comes behind it.
FlowingStack flowingAcross(const Trace& trace, const ModelConfig& config) {
  const AttendedStack encoder = passedOn(trace, config, AttentionSite::Encoder),
                      decoder = passedOn(trace, config, AttentionSite::Decoder);
  const int S = encoder.tokens, T = decoder.tokens, memory = static_cast<int>(encoder.blocks.size()) * S,
            first = memory + S;
  std::vector<FlowGraph::Way> ways;
  addStack(ways, encoder, 0);
  Passed kept(static_cast<std::size_t>(T * T), 0.0);
  for (int t = 0; t < T; ++t) kept[static_cast<std::size_t>(t * T + t)] = 1;
  std::vector<int> behind;
  for (int layer = 0; layer < config.layers; ++layer) {
    const int before = first + 2 * layer * T, middle = before + T, after = middle + T;
    addWays(ways, decoder.blocks[static_cast<std::size_t>(layer)], 1, middle, before, T);
    addWays(ways, kept, keptOf(config), after, middle, T);
    addWays(ways, lookedAcross(trace, layer), 1 - keptOf(config), after, memory, S);
    behind.push_back(after);
  }
  return {FlowGraph(first + (2 * config.layers + 1) * T, ways), behind};
}

std::vector<int> nextSaidBefore(const AttendedTokens& tokens, int t) {
  const auto next = static_cast<std::size_t>(t) + 1;
  std::vector<int> said;
  for (int s = 0; next < tokens.queries.size() && s < t; ++s)
    if (tokens.keys[static_cast<std::size_t>(s)] == tokens.queries[next]) said.push_back(s);
  return said;
}

}  // namespace

Tensor attentionRollout(const Trace& trace, const ModelConfig& config, AttentionSite site) {
  const auto blocks =
      site == AttentionSite::Across ? rolledAcross(trace, config) : rolledOut(passedOn(trace, config, site));
  const TensorView patterns = trace[attentionPoint(0, site, "hook_pattern")];
  std::vector<float> values;
  for (const Passed& block : blocks) values.insert(values.end(), block.begin(), block.end());
  return Tensor({static_cast<int>(blocks.size()), patterns.extent[1], patterns.extent[2]}, values);
}

std::vector<double> claimedFlow(const Trace& trace, const ModelConfig& config, AttentionSite site,
                                const Claims& claims, const Watch& watch) {
  assert(claimsAnything(claims));
  FlowingStack stack =
      site == AttentionSite::Across ? flowingAcross(trace, config) : flowing(passedOn(trace, config, site));
  const int T = static_cast<int>(claims.size()), whole = T * static_cast<int>(stack.behind.size());
  std::vector<double> flows;
  for (const int behind : stack.behind) {
    double sum = 0;
    int rows = 0;
    for (int t = 0; t < T; ++t) {
      if (!watch(static_cast<int>(flows.size()) * T + t, whole)) return {};
      if (const auto& to = claims[static_cast<std::size_t>(t)]; !to.empty())
        sum += stack.graph.largest(behind + t, to), ++rows;
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
