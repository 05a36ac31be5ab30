#include "core/lens/rollout.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/lens/largest_flow.h"
#include "core/trace/derived.h"

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
Passed lookedAcrossIn(const Trace& trace, int layer) {
  const TensorView patterns = trace[attentionPoint(layer, AttentionSite::Cross, "hook_pattern")];
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
                 read = product(lookedAcrossIn(trace, layer), memory, T, S, S);
    const double kept = keptOf(config);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = kept * own[i] + (1 - kept) * read[i];
    all.push_back(shares);
  }
  return all;
}

// What lets flows through, and between which nodes: so much of a number, or so much.
struct Ways {
  std::vector<FlowGraph::Way> ways;
  std::vector<Term> rooms;  // of each

  // Of every row of `room` to every column; `numbers` are the same as measured, empty where they are not.
  void add(const Passed& room, const TensorView& numbers, double share, int from, int to, int width) {
    for (std::size_t i = 0; i < room.size(); ++i) {
      const double each = share * room[i];
      if (each <= FlowGraph::least) continue;
      ways.push_back({from + static_cast<int>(i) / width, to + static_cast<int>(i) % width, each});
      rooms.push_back({numbers.data ? numbers.data + i : nullptr, nullptr,
                       static_cast<float>(numbers.data ? share : each)});
    }
  }
  // Level l of a stack's tokens, from `first` on: before its first block, then behind each.
  void add(const AttendedStack& stack, const TensorView& numbers, int first) {
    const int T = stack.tokens;
    for (int l = 0; l < static_cast<int>(stack.blocks.size()); ++l)
      add(stack.blocks[static_cast<std::size_t>(l)], blockOf(numbers, l), 1, first + (l + 1) * T,
          first + l * T, T);
  }
  static TensorView blockOf(const TensorView& numbers, int layer) {
    return numbers.data ? numbers[layer] : TensorView();
  }
};

// Where flows go: a graph whose first nodes are the tokens that are claimed, before the first block.
struct FlowingStack {
  FlowGraph graph;
  std::vector<int> behind;  // of every block the first of its tokens
  std::vector<Term> rooms;  // of every way
};

// Measured numbers of a name; empty without a set.
TensorView measuredOr(const TensorSet* set, const std::string& name) {
  return set ? (*set)[name] : TensorView();
}

FlowingStack flowing(const AttendedStack& stack, const TensorView& numbers) {
  Ways all;
  all.add(stack, numbers, 0);
  std::vector<int> behind;
  for (std::size_t l = 0; l < stack.blocks.size(); ++l)
    behind.push_back(static_cast<int>(l + 1) * stack.tokens);
  return {FlowGraph((static_cast<int>(stack.blocks.size()) + 1) * stack.tokens, all.ways), behind, all.rooms};
}

// The encoder's levels first, then those of the decoder, of which each block has two: what looks across
// stands between its own attention and what comes behind it.
FlowingStack flowingAcross(const Trace& trace, const ModelConfig& config, const TensorSet* set) {
  const AttendedStack encoder = passedOn(trace, config, AttentionSite::Encoder),
                      decoder = passedOn(trace, config, AttentionSite::Decoder);
  const TensorView looked = measuredOr(set, lookedAcross),
                   own = measuredOr(set, passedOnOf(AttentionSite::Decoder));
  const int S = encoder.tokens, T = decoder.tokens, memory = static_cast<int>(encoder.blocks.size()) * S,
            first = memory + S;
  Ways all;
  all.add(encoder, measuredOr(set, passedOnOf(AttentionSite::Encoder)), 0);
  Passed kept(static_cast<std::size_t>(T * T), 0.0);
  for (int t = 0; t < T; ++t) kept[static_cast<std::size_t>(t * T + t)] = 1;
  std::vector<int> behind;
  for (int layer = 0; layer < config.layers; ++layer) {
    const int before = first + 2 * layer * T, middle = before + T, after = middle + T;
    all.add(decoder.blocks[static_cast<std::size_t>(layer)], Ways::blockOf(own, layer), 1, middle, before, T);
    all.add(kept, {}, keptOf(config), after, middle, T);
    all.add(lookedAcrossIn(trace, layer), Ways::blockOf(looked, layer), 1 - keptOf(config), after, memory, S);
    behind.push_back(after);
  }
  return {FlowGraph(first + (2 * config.layers + 1) * T, all.ways), behind, all.rooms};
}

// `set`: a rollout that was measured, of whose numbers the rooms are; null: none.
FlowingStack flowingAt(const Trace& trace, const ModelConfig& config, AttentionSite site,
                       const TensorSet* set) {
  return site == AttentionSite::Cross
             ? flowingAcross(trace, config, set)
             : flowing(passedOn(trace, config, site), measuredOr(set, passedOnOf(site)));
}

Tensor asTensor(const std::vector<Passed>& blocks, int T, int S) {
  std::vector<float> values;
  for (const Passed& block : blocks) values.insert(values.end(), block.begin(), block.end());
  return Tensor({static_cast<int>(blocks.size()), T, S}, values);
}

// "", ".encoder", ".across": what tells the numbers of one attention from those of others.
std::string suffixOf(AttentionSite site) {
  return site == AttentionSite::Encoder ? ".encoder" : site == AttentionSite::Cross ? ".across" : "";
}

Stream streamOf(AttentionSite site) { return site == AttentionSite::Encoder ? Stream::Source : Stream::Text; }

// The mean over heads of a pattern's cell, each times `share`.
void addHeads(const TensorView& patterns, int t, int s, double share, Derivation& sum) {
  for (int h = 0; h < patterns.extent[0]; ++h)
    sum.terms.push_back({&patterns(h, t, s), nullptr, static_cast<float>(share / patterns.extent[0])});
}

// Â_l[t, s] = (mean_h A_l[t, s] + [s = t]) / what the row comes to.
Derivation passedOnCell(const Trace& trace, const ModelConfig& config, AttentionSite site, const Index& at) {
  const TensorView patterns = trace[attentionPoint(at[0], site, "hook_pattern")];
  double whole = config.residual ? 1 : 0;
  for (int h = 0; h < patterns.extent[0]; ++h)
    for (int s = 0; s < patterns.extent[2]; ++s)
      whole += static_cast<double>(patterns(h, at[1], s)) / patterns.extent[0];
  const double share = whole > 0 ? 1 / whole : 1;
  Derivation cell;
  addHeads(patterns, at[1], at[2], share, cell);
  if (config.residual && at[1] == at[2]) cell.terms.push_back({nullptr, nullptr, static_cast<float>(share)});
  return cell;
}

// Σ_r a[t, r] b[r, s], each times `share`.
void addProduct(const TensorView& a, const TensorView& b, int t, int s, double share, Derivation& sum) {
  for (int r = 0; r < b.extent[0]; ++r) sum.terms.push_back({&a(t, r), &b(r, s), static_cast<float>(share)});
}

// `trace` outlives the set.
void measurePassedOn(const Trace& trace, const ModelConfig& config, AttentionSite site, TensorSet& set) {
  const AttendedStack stack = passedOn(trace, config, site);
  set.add({passedOnOf(site), "LTS", "share of each token in each token's output of a block, next to its own",
           "Â_l = (mean_h A_l + I) / 2", streamOf(site), streamOf(site)},
          asTensor(stack.blocks, stack.tokens, stack.tokens),
          [&trace, config, site](const Index& at) { return passedOnCell(trace, config, site, at); });
}

void measureOwnRollout(const Trace& trace, const ModelConfig& config, AttentionSite site, TensorSet& set) {
  measurePassedOn(trace, config, site, set);
  const AttendedStack stack = passedOn(trace, config, site);
  Tensor values = asTensor(rolledOut(stack), stack.tokens, stack.tokens);
  const TensorView rolled = std::as_const(values).view();  // where its numbers stay when it is moved
  set.add({rolloutOf(site), "LTS", "share of each token in each token's residual stream after a block",
           "R_l = Â_l · R_{l − 1}", streamOf(site), streamOf(site)},
          std::move(values), [passed = set[passedOnOf(site)], rolled](const Index& at) {
            if (at[0] == 0) return Derivation{.terms = {{&passed(0, at[1], at[2])}}};
            Derivation sum;
            addProduct(passed[at[0]], rolled[at[0] - 1], at[1], at[2], 1, sum);
            return sum;
          });
}

// `trace` outlives the set.
void measureLookedAcross(const Trace& trace, const ModelConfig& config, TensorSet& set) {
  std::vector<Passed> blocks;
  for (int layer = 0; layer < config.layers; ++layer) blocks.push_back(lookedAcrossIn(trace, layer));
  const TensorView patterns = trace[attentionPoint(0, AttentionSite::Cross, "hook_pattern")];
  set.add({lookedAcross, "LTS", "attention of the decoder's tokens to each token of the source",
           "C_l = mean_h A_l", Stream::Text, Stream::Source},
          asTensor(blocks, patterns.extent[1], patterns.extent[2]), [&trace](const Index& at) {
            Derivation mean;
            addHeads(trace[attentionPoint(at[0], AttentionSite::Cross, "hook_pattern")], at[1], at[2], 1,
                     mean);
            return mean;
          });
}

void measureRolloutAcross(const Trace& trace, const ModelConfig& config, TensorSet& set) {
  measureOwnRollout(trace, config, AttentionSite::Encoder, set);
  measurePassedOn(trace, config, AttentionSite::Decoder, set);
  measureLookedAcross(trace, config, set);
  const TensorView looked = set[lookedAcross], passed = set[passedOnOf(AttentionSite::Decoder)],
                   memory = set[rolloutOf(AttentionSite::Encoder)];
  Tensor values = attentionRollout(trace, config, AttentionSite::Cross);
  const TensorView rolled = std::as_const(values).view();  // where its numbers stay when it is moved
  set.add({rolloutOf(AttentionSite::Cross), "LTS",
           "share of each token of the source in each token's residual stream after a block",
           "X_l = (Â_l · X_{l − 1} + C_l · R_E) / 2", Stream::Text, Stream::Source},
          std::move(values), [=, kept = keptOf(config)](const Index& at) {
            const auto [layer, t, s, none] = at;
            Derivation sum;
            if (layer > 0) addProduct(passed[layer], rolled[layer - 1], t, s, kept, sum);
            addProduct(looked[layer], memory[memory.extent[0] - 1], t, s, 1 - kept, sum);
            return sum;
          });
}

// Of a source all was read before.
std::vector<int> nextSaidBefore(const AttendedTokens& tokens, int t) {
  const auto next = static_cast<std::size_t>(t) + 1;
  const std::size_t earlier = tokens.across ? tokens.keys.size() : static_cast<std::size_t>(t);
  std::vector<int> said;
  for (std::size_t s = 0; next < tokens.queries.size() && s < earlier; ++s)
    if (tokens.keys[s] == tokens.queries[next]) said.push_back(static_cast<int>(s));
  return said;
}

}  // namespace

Tensor attentionRollout(const Trace& trace, const ModelConfig& config, AttentionSite site) {
  const auto blocks =
      site == AttentionSite::Cross ? rolledAcross(trace, config) : rolledOut(passedOn(trace, config, site));
  const TensorView patterns = trace[attentionPoint(0, site, "hook_pattern")];
  return asTensor(blocks, patterns.extent[1], patterns.extent[2]);
}

std::string rolloutOf(AttentionSite site) { return "lens.rollout" + suffixOf(site); }
std::string passedOnOf(AttentionSite site) { return "lens.passed_on" + suffixOf(site); }

void measureRollout(const Trace& trace, const ModelConfig& config, AttentionSite site, TensorSet& set) {
  if (site == AttentionSite::Cross)
    measureRolloutAcross(trace, config, set);
  else
    measureOwnRollout(trace, config, site, set);
}

void measureFlow(const Trace& trace, const ModelConfig& config, AttentionSite site, int layer,
                 const ExpectedPattern& claims, TensorSet& set) {
  FlowingStack stack = flowingAt(trace, config, site, &set);
  const int behind = stack.behind[static_cast<std::size_t>(layer)];
  Tensor flows({static_cast<int>(claims.size())}, std::vector<float>(claims.size(), NAN));
  std::vector<Derivation> cuts(claims.size());
  for (int t = 0; t < static_cast<int>(claims.size()); ++t) {
    const auto row = static_cast<std::size_t>(t);
    if (claims[row].empty()) continue;
    flows(t) = static_cast<float>(stack.graph.largest(behind + t, claims[row]));
    for (const int way : stack.graph.cut(behind + t))
      cuts[row].terms.push_back(stack.rooms[static_cast<std::size_t>(way)]);
  }
  set.add({"lens.flow", "T", "maximum flow from the explained tokens to each token",
           "max flow = min cut, capacities Â_l", streamOf(site)},
          std::move(flows), [cuts](const Index& at) -> std::optional<Derivation> {
            const Derivation& cut = cuts[static_cast<std::size_t>(at[0])];
            return cut.terms.empty() ? std::nullopt : std::optional(cut);
          });
}

std::vector<double> claimedFlow(const Trace& trace, const ModelConfig& config, AttentionSite site,
                                const ExpectedPattern& claims, const ProgressCallback& watch) {
  assert(claimsAnything(claims));
  FlowingStack stack = flowingAt(trace, config, site, nullptr);
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

std::vector<DetectionPattern> tokenClasses() {
  std::vector<DetectionPattern> classes(headHypotheses().begin(), headHypotheses().end());
  classes.push_back({{"next", "next token", "The token that follows, at its earlier occurrence.",
                      "C[t, s] = [s < t and x_s = x_{t + 1}]"},
                     nextSaidBefore});
  return classes;
}

}  // namespace glassformer
