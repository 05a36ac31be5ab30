#include "core/lens/head_scores.h"

#include "core/model/point_names.h"

namespace glassformer {
namespace {

// score(pattern [T, S]) for every head.
template <typename Score>
Tensor eachHead(const Trace& trace, const ModelConfig& config, Score score) {
  Tensor scores({config.layers, config.heads});
  for (int layer = 0; layer < config.layers; ++layer) {
    const TensorView patterns = trace[blockPoint(config, layer, "attn.hook_pattern")];
    for (int head = 0; head < config.heads; ++head)
      scores(layer, head) = static_cast<float>(score(patterns[head]));
  }
  return scores;
}

}  // namespace

Tensor previousTokenScores(const Trace& trace, const ModelConfig& config) {
  return eachHead(trace, config, [](const TensorView& pattern) {
    double sum = 0;
    for (int t = 1; t < pattern.extent[0]; ++t) sum += pattern(t, t - 1);
    return pattern.extent[0] > 1 ? sum / (pattern.extent[0] - 1) : 0;
  });
}

Tensor inductionScores(const Trace& trace, const ModelConfig& config, int firstRepeated, int period) {
  return eachHead(trace, config, [&](const TensorView& pattern) {
    double sum = 0;
    for (int t = firstRepeated; t < pattern.extent[0]; ++t) sum += pattern(t, t - period + 1);
    return sum / (pattern.extent[0] - firstRepeated);
  });
}

Tensor attentionTo(const Trace& trace, const ModelConfig& config, int query, std::span<const int> keys) {
  return eachHead(trace, config, [&](const TensorView& pattern) {
    double sum = 0;
    for (const int key : keys) sum += pattern(query, key);
    return sum;
  });
}

}  // namespace glassformer
