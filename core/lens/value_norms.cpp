#include "core/lens/value_norms.h"

#include <cmath>
#include <string>

#include "core/tensor/kernels.h"

namespace glassformer {

Tensor valueNorms(const Transformer& model, const Trace& trace, int layer, int head) {
  const ModelConfig& config = model.config();
  const int S = trace.tokenCount(), K = config.headWidth(), D = config.width;
  const TensorView v = trace["blocks." + std::to_string(layer) + ".attn.hook_v"];  // [S, H, K]
  const TensorView output =                                                        // [H · K, D]
      model.parameters()["h." + std::to_string(layer) + ".attn.c_proj.weight"];
  Tensor moved({S, D}), norms({S});
  kernels().multiply({S, D, K, &v(0, head, 0), v.stride[0], v.stride[2], &output(head * K, 0),
                      output.stride[0], output.stride[1], moved.values().data(), D});
  for (int s = 0; s < S; ++s)
    norms(s) = static_cast<float>(std::sqrt(kernels().sumOfSquares(&moved(s, 0), D)));
  return norms;
}

}  // namespace glassformer
