#include "core/lens/value_norms.h"

#include <cmath>
#include <string>

#include "core/tensor/kernels.h"

namespace glassformer {

Tensor writtenBy(const Transformer& model, HeadId head, const TensorView& rows) {
  const ModelConfig& config = model.config();
  const int R = rows.extent[0], K = rows.extent[1], D = config.width;
  if (config.headsOutputFullWidth()) return Tensor({R, D}, rows.copy());
  const TensorView output =  // [H · K, D]
      model.parameters()[attentionWeights(head.layer, head.site) + "c_proj.weight"];
  Tensor result({R, D});
  kernels().multiply({R, D, K, rows.data, rows.stride[0], rows.stride[1], &output(head.head * K, 0),
                      output.stride[0], output.stride[1], result.values().data(), D});
  return result;
}

Tensor valueNorms(const Transformer& model, const Trace& trace, HeadId head) {
  const ModelConfig& config = model.config();
  const TensorView v = trace[attentionPoint(head.layer, head.site, "hook_v")];  // [S, H', K]
  const int group = config.heads / v.extent[1], S = v.extent[0], D = config.width;
  const TensorView own(v.data + head.head / group * v.stride[1], {S, v.extent[2]},
                       {v.stride[0], v.stride[2]});
  const Tensor moved = writtenBy(model, head, own);
  Tensor norms({S});
  for (int s = 0; s < S; ++s)
    norms(s) = static_cast<float>(std::sqrt(kernels().sumOfSquares(moved.values().data() + s * D, D)));
  return norms;
}

}  // namespace glassformer
