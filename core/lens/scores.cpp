#include "core/lens/scores.h"

#include <cmath>
#include <string>

#include "core/tensor/kernels.h"

namespace glassformer {

Tensor unmaskedScores(const Trace& trace, const ModelConfig& config, int layer, int head) {
  const int T = trace.tokenCount(), K = config.headWidth();
  const std::string attention = "blocks." + std::to_string(layer) + ".attn.";
  const TensorView q = trace[attention + "hook_q"], k = trace[attention + "hook_k"];
  Tensor scores({T, T});
  kernels().multiply({T, T, K, &q(0, head, 0), q.stride[0], 1, &k(0, head, 0), 1, k.stride[0],
                      scores.values().data(), T, 1 / std::sqrt(static_cast<float>(K))});
  return scores;
}

}  // namespace glassformer
