#include "core/model/head.h"

#include "core/model/block.h"
#include "core/model/feed_forward.h"
#include "core/tensor/operations/elementwise.h"
#include "core/tensor/operations/linear.h"
#include "core/tensor/operations/pooling.h"

namespace glassformer {

Value headTransform(Pass& pass, const ModelConfig& config, const Value& x) {
  const Value u = pass.point("mlm_head.hook_pre", linear(pass.tape(), x, pass.weight("head.c_fc.weight"),
                                                         pass.bias("head.c_fc.bias")));
  const Value g =
      pass.point("mlm_head.hook_post", activate(pass.tape(), u, nonlinearityOf(headActivation(config))));
  return config.hasNorms() ? normalize(pass, config, "head.ln_head", "mlm_head.ln", g) : g;
}

void classHead(Pass& pass, const ModelConfig& config, const Value& x) {
  const Value read = config.pooling == Pooling::Last
                         ? x
                         : pass.point(pooledForClasses, meanOfRows(pass.tape(), x, !config.causal()));
  pass.point(classLogits, unembed(pass.tape(), read, pass.weight("score.weight")));
}

Activation headActivation(const ModelConfig& config) {
  const bool isPlain = config.hasFeedForward() && !config.hasGatedMlp();
  return isPlain ? config.activation : Activation::Gelu;
}

}  // namespace glassformer
