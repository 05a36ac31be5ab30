#include "core/lens/head_scores.h"

#include "core/lens/detection_patterns.h"

namespace glassformer {
namespace {

// How well the claims fit every head, [L, H]; 0 where they say nothing.
Tensor eachHead(const Trace& trace, const ModelConfig& config, const ExpectedPattern& claims) {
  Tensor scores({config.layers, config.heads});
  if (!claimsAnything(claims)) return scores;
  for (int layer = 0; layer < config.layers; ++layer) {
    const std::vector<double> shares =
        claimedAttention(trace[blockPoint(config, layer, "attn.hook_pattern")], claims);
    for (int head = 0; head < config.heads; ++head)
      scores(layer, head) = static_cast<float>(shares[static_cast<std::size_t>(head)]);
  }
  return scores;
}

ExpectedPattern noClaims(const Trace& trace) {
  return ExpectedPattern(static_cast<std::size_t>(trace.tokenCount()));
}

}  // namespace

Tensor previousTokenScores(const Trace& trace, const ModelConfig& config) {
  return eachHead(trace, config,
                  claimsOf(detectionPattern("previous"), attendedTokens(trace, ownSite(config))));
}

Tensor inductionScores(const Trace& trace, const ModelConfig& config, int firstRepeated, int period) {
  ExpectedPattern claims = noClaims(trace);
  for (int t = firstRepeated; t < trace.tokenCount(); ++t)
    claims[static_cast<std::size_t>(t)] = {t - period + 1};
  return eachHead(trace, config, claims);
}

Tensor attentionTo(const Trace& trace, const ModelConfig& config, int query, std::span<const int> keys) {
  ExpectedPattern claims = noClaims(trace);
  claims[static_cast<std::size_t>(query)].assign(keys.begin(), keys.end());
  return eachHead(trace, config, claims);
}

}  // namespace glassformer
