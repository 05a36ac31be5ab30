#include "core/lens/scores.h"

#include <cmath>
#include <string>

#include "core/model/positional/positional_encoding.h"
#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// b[s - t] of distance-only attention.
Tensor distances(const Transformer& model, int T, HeadId head) {
  const TensorView b = model.parameters()[attentionWeights(head.layer, head.site) + "distance"];
  Tensor scores({T, T});
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < T; ++s) scores(t, s) = b(head.head, s - t + b.extent[1] / 2);
  return scores;
}

// Row by row what the kernel compares: queries or keys as they are, or their positive features.
Tensor compared(const TensorView& rows, int head, bool features) {
  const int R = rows.extent[0], K = rows.extent[2];
  Tensor result({R, K});
  for (int r = 0; r < R; ++r)
    for (int k = 0; k < K; ++k) {
      const float x = rows(r, head, k);
      result(r, k) = !features ? x : x > 0 ? x + 1 : std::exp(x);
    }
  return result;
}

}  // namespace

Tensor unmaskedScores(const Transformer& model, const Trace& trace, HeadId head) {
  const ModelConfig& config = model.config();
  const bool across = head.site == AttentionSite::Across, linear = config.kernel == AttentionKernel::Linear;
  const auto point = [&](const char* name) { return attentionPoint(head.layer, head.site, name); };
  if (config.kernel == AttentionKernel::Distance && !across)
    return distances(model, trace[point("hook_pattern")].extent[1], head);

  const bool turned = trace.contains(point("hook_rot_q"));
  const TensorView q = trace[point(turned ? "hook_rot_q" : "hook_q")],
                   k = trace[point(turned ? "hook_rot_k" : "hook_k")];
  const int T = q.extent[0], S = k.extent[0], K = q.extent[2],
            keyHead = head.head / (q.extent[1] / k.extent[1]);
  const Tensor queries = compared(q, head.head, linear), keys = compared(k, keyHead, linear);
  const float scale = config.scaledScores && !linear ? 1 / std::sqrt(static_cast<float>(K)) : 1;
  Tensor scores({T, S});
  kernels().multiply(
      {T, S, K, queries.values().data(), K, 1, keys.values().data(), 1, K, scores.values().data(), S, scale});
  if (across || linear) return scores;
  const std::string weights = attentionWeights(head.layer, head.site);
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < S; ++s)
      scores(t, s) += config.positions->biasOf(config, model.parameters(), weights, head.head,
                                               queries.values().data() + t * K, t, s);
  return scores;
}

}  // namespace glassformer
