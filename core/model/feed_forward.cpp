#include "core/model/feed_forward.h"

#include "core/tensor/operations/linear.h"

namespace glassformer {
namespace {

Nonlinearity nonlinearity(Activation activation) {
  switch (activation) {
    case Activation::Gelu:
      return Nonlinearity::Gelu;
    case Activation::Relu:
      return Nonlinearity::Relu;
    case Activation::GeluTanh:
      break;
  }
  return Nonlinearity::GeluTanh;
}

}  // namespace

Value feedForward(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x) {
  Tape& tape = pass.tape();
  const Value pre = pass.point("mlp.hook_pre", linear(tape, x, pass.weight(weights + "c_fc.weight"),
                                                      pass.weight(weights + "c_fc.bias")));  // [T, F]
  const Value post =
      pass.point("mlp.hook_post", activate(tape, pre, nonlinearity(config.activation)));  // [T, F]
  return pass.point("hook_mlp_out", linear(tape, post, pass.weight(weights + "c_proj.weight"),
                                           pass.weight(weights + "c_proj.bias")));
}

}  // namespace glassformer
