#include "core/model/attention.h"

#include "core/tensor/operations/attention.h"
#include "core/tensor/operations/linear.h"

namespace glassformer {

Value attention(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x) {
  Tape& tape = pass.tape();
  const int D = config.width, H = config.heads;
  const Value qkv =
      linear(tape, x, pass.weight(weights + "c_attn.weight"), pass.weight(weights + "c_attn.bias"));

  const Value q = pass.point("attn.hook_q", tape.columns(qkv, 0, D));      // [T, H, K]
  const Value k = pass.point("attn.hook_k", tape.columns(qkv, D, D));      // [S, H, K]
  const Value v = pass.point("attn.hook_v", tape.columns(qkv, 2 * D, D));  // [S, H, K]

  const Value scores =
      pass.point("attn.hook_attn_scores", causalMask(tape, scaledScores(tape, q, k, H)));  // [H, T, S]
  const Value pattern = pass.point("attn.hook_pattern", softmax(tape, scores));            // [H, T, S]
  const Value z = pass.point("attn.hook_z", weightedSum(tape, pattern, v));                // [T, H, K]

  return pass.point("hook_attn_out", linear(tape, z, pass.weight(weights + "c_proj.weight"),
                                            pass.weight(weights + "c_proj.bias")));
}

}  // namespace glassformer
