#include "core/model/block.h"

#include "core/model/attention.h"
#include "core/model/feed_forward.h"
#include "core/tensor/operations/normalization.h"

namespace glassformer {

Value block(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& input) {
  const Value x = pass.point("hook_resid_pre", input);
  const Value attended =
      attention(pass, config, weights + "attn.", normalize(pass, config, weights + "ln_1", "ln1", x));
  const Value mid = pass.point("hook_resid_mid", add(pass.tape(), x, pass.drop(attended)));
  const Value fed =
      feedForward(pass, config, weights + "mlp.", normalize(pass, config, weights + "ln_2", "ln2", mid));
  return pass.point("hook_resid_post", add(pass.tape(), mid, pass.drop(fed)));
}

Value normalize(Pass& pass, const ModelConfig& config, const std::string& weights, const std::string& name,
                const Value& x) {
  const auto [scale, normalized] = layerNorm(pass.tape(), x, pass.weight(weights + ".weight"),
                                             pass.weight(weights + ".bias"), config.normEpsilon);
  pass.watch(name + ".hook_scale", scale);
  return pass.point(name + ".hook_normalized", normalized);
}

}  // namespace glassformer
