#include "core/lens/position_scores.h"

#include <cmath>
#include <numeric>

#include "core/lens/scores.h"
#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// n_p [T, D], σ from the trace.
Tensor normalizedPositions(const Transformer& model, const Trace& trace, int layer) {
  const int T = trace.tokenCount(), D = model.config().width;
  const TensorView positions = trace["hook_pos_embed"];
  const TensorView sigma = trace["blocks." + std::to_string(layer) + ".ln1.hook_scale"];
  const TensorView gamma = model.parameters()["h." + std::to_string(layer) + ".ln_1.weight"];
  Tensor normalized({T, D});
  for (int t = 0; t < T; ++t) {
    const float* p = &positions(t, 0);
    const auto mean = static_cast<float>(std::accumulate(p, p + D, 0.0) / D);
    for (int d = 0; d < D; ++d) normalized(t, d) = gamma(d) * (p[d] - mean) / sigma(t, 0);
  }
  return normalized;
}

// n · W for one head's columns, without the bias [T, K]. `first` is its column in W_QKV [D, 3D].
Tensor projected(const Tensor& n, const TensorView& weight, int first, int K) {
  const int T = n.view().extent[0], D = n.view().extent[1];
  Tensor result({T, K});
  kernels().multiply({T, K, D, n.values().data(), D, 1, &weight(0, first), weight.stride[0], weight.stride[1],
                      result.values().data(), K});
  return result;
}

}  // namespace

std::string positionScoresOf(HeadId head) { return "lens.position_scores." + nameOf(head); }
std::string otherScoresOf(HeadId head) { return "lens.other_scores." + nameOf(head); }

void measurePositionScores(const Transformer& model, const Trace& trace, HeadId head,
                           TensorSet& measurements) {
  const ModelConfig& config = model.config();
  const int T = trace.tokenCount(), K = config.headWidth(), D = config.width;
  const TensorView weight = model.parameters()["h." + std::to_string(head.layer) + ".attn.c_attn.weight"];
  const Tensor n = normalizedPositions(model, trace, head.layer);
  const Tensor q = projected(n, weight, head.head * K, K), k = projected(n, weight, D + head.head * K, K);
  Tensor scores({T, T}), others = unmaskedScores(trace, config, head.layer, head.head);
  kernels().multiply({T, T, K, q.values().data(), K, 1, k.values().data(), 1, K, scores.values().data(), T,
                      1 / std::sqrt(static_cast<float>(K))});
  for (std::size_t i = 0; i < others.values().size(); ++i) others.values()[i] -= scores.values()[i];
  measurements.add({positionScoresOf(head), "TS", "how well each query matches each key by positions alone",
                    "(n_p · W_Q) · (n_p · W_K)ᵀ / √K, n_p = γ ⊙ (p − mean(p)) / σ"},
                   std::move(scores));
  measurements.add({otherScoresOf(head), "TS", "what tokens and biases have a part in",
                    "q · kᵀ / √K − (n_p · W_Q) · (n_p · W_K)ᵀ / √K"},
                   std::move(others));
}

}  // namespace glassformer
