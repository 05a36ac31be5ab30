#include "core/lens/path_length.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/lens/by_distance.h"

namespace glassformer {
namespace {

constexpr float unreachable = std::numeric_limits<float>::infinity();

// The least over all u of what leads from s to u in the blocks before, and from u to t in one more:
// d'[t, s] = min_u steps(t, u) + d[u, s].
Tensor oneBlockMore(const ModelConfig& config, const Tensor& before) {
  const int T = before.view().extent[0];
  Tensor after({T, T}, std::vector<float>(before.values().size(), unreachable));
  for (int t = 0; t < T; ++t)
    for (int u = 0; u < T; ++u) {
      const auto steps = stepsInBlock(config, t, u);
      if (!steps) continue;
      const float* from = before.values().data() + static_cast<std::ptrdiff_t>(u) * T;
      float* to = &after(t, 0);
      for (int s = 0; s < T; ++s) to[s] = std::min(to[s], from[s] + static_cast<float>(*steps));
    }
  return after;
}

const char* equationOf(const ModelConfig& config) {
  switch (config.mixing) {
    case Mixing::Recurrence:
      return "t − s";
    case Mixing::Convolution:
      return config.causal() ? "⌈(t − s) / (J − 1)⌉" : "⌈|t − s| / (taps on that side)⌉";
    case Mixing::Attention:
      break;
  }
  return "1 where the mask allows, 0 for t itself";
}

}  // namespace

std::optional<int> stepsInBlock(const ModelConfig& config, int t, int s) {
  switch (config.mixing) {
    case Mixing::Recurrence:
      return s <= t ? std::optional(t - s) : std::nullopt;
    case Mixing::Convolution:
      return t + config.tapsAhead() - s >= 0 && t + config.tapsAhead() - s < config.kernelWidth
                 ? std::optional(t == s ? 0 : 1)
                 : std::nullopt;
    case Mixing::Attention:
      break;
  }
  if (t == s && config.residual) return 0;
  return config.mask.allows(t, s) ? std::optional(t == s ? 0 : 1) : std::nullopt;
}

std::vector<int> shortestWay(const ModelConfig& config, int tokens, int t, int s) {
  const auto T = static_cast<std::size_t>(tokens);
  std::vector<float> steps(T, unreachable);  // from s to each token, behind the blocks so far
  steps[static_cast<std::size_t>(s)] = 0;
  std::vector<std::vector<int>> from;  // where the way to each token comes from, block by block
  for (int layer = 0; layer < config.layers; ++layer) {
    const ModelConfig block = config.ofLayer(layer);
    std::vector<float> next(T, unreachable);
    from.emplace_back(T, -1);
    std::vector<int> reached;
    for (int u = 0; u < tokens; ++u)
      if (steps[static_cast<std::size_t>(u)] < unreachable) reached.push_back(u);
    const float least = std::ranges::min(steps);
    for (int u = 0; u < tokens; ++u) {
      float& length = next[static_cast<std::size_t>(u)];
      const auto take = [&](int by) {
        const float before = steps[static_cast<std::size_t>(by)];
        const auto taken = before < length ? stepsInBlock(block, u, by) : std::nullopt;
        if (taken && before + static_cast<float>(*taken) < length)
          length = before + static_cast<float>(*taken), from.back()[static_cast<std::size_t>(u)] = by;
      };
      take(u);
      if (length <= least + 1) continue;  // from another token it is a step at least
      for (const int by : reached) take(by);
    }
    // Where a block brings nothing nearer, those like it behind it do not either.
    const bool settled = config.fullBlocks.empty() && next == steps;
    steps = std::move(next);
    if (settled) from.resize(static_cast<std::size_t>(config.layers), std::vector<int>(from.back()));
    if (settled) break;
  }
  if (steps[static_cast<std::size_t>(t)] == unreachable) return {};
  std::vector<int> way{t};
  for (std::size_t layer = from.size(); layer-- > 0;)
    way.insert(way.begin(), from[layer][static_cast<std::size_t>(way.front())]);
  return way;
}

void measurePathLength(const ModelConfig& config, int tokens, TensorSet& measurements,
                       std::string_view suffix) {
  Tensor lengths(
      {tokens, tokens},
      std::vector<float>(static_cast<std::size_t>(tokens) * static_cast<std::size_t>(tokens), unreachable));
  for (int t = 0; t < tokens; ++t) lengths(t, t) = 0;
  for (int layer = 0; layer < config.layers; ++layer) {
    Tensor next = oneBlockMore(config.ofLayer(layer), lengths);
    const bool settled = config.fullBlocks.empty() && next.values() == lengths.values();
    lengths = std::move(next);
    if (settled) break;
  }
  for (float& length : lengths.values())
    if (length == unreachable) length = std::numeric_limits<float>::quiet_NaN();
  measurements.add({"lens.path_length" + std::string(suffix), "TS",
                    "fewest operations from each token to each prediction; empty without a path",
                    equationOf(config), Stream::Text, Stream::Text},
                   std::move(lengths));
}

void measurePathLengthByDistance(int distances, TensorSet& measurements) {
  measurements.add(
      {"lens.path_length_by_distance", "X",
       "mean of the fewest operations from the token at that distance before; empty without a path",
       "mean of the path lengths over t − s = distance"},
      meanByDistance(measurements["lens.path_length"], -1, distances),
      atDistance(measurements["lens.path_length"], -1));
}

}  // namespace glassformer
