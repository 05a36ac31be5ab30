#include "core/model/feed_forward.h"

#include "core/tensor/operations/linear.h"
#include "core/tensor/operations/nonlinearity.h"

namespace glassformer {
namespace {

// g = f(n · W_gate) ⊙ (n · W_in), both halves of one product; f is silu or GELU (Shazeer 2020).
Value gatedUp(Pass& pass, const ModelConfig& config, const Value& both) {
  Tape& tape = pass.tape();
  const int F = config.feedForward;
  const Value gate = pass.point("mlp.hook_pre", tape.columns(both, 0, F));           // [T, F]
  const Value linear = pass.point("mlp.hook_pre_linear", tape.columns(both, F, F));  // [T, F]
  return gated(tape, gate, linear, nonlinearityOf(config.activation));
}

}  // namespace

Nonlinearity nonlinearityOf(Activation activation) {
  switch (activation) {
    case Activation::Gelu:
      return Nonlinearity::Gelu;
    case Activation::Relu:
      return Nonlinearity::Relu;
    case Activation::Silu:
    case Activation::SwiGlu:
      return Nonlinearity::Silu;
    default:
      return Nonlinearity::GeluTanh;
  }
}

void activate(Activation activation, std::span<const float> x, std::span<float> y) {
  activate(nonlinearityOf(activation), x, y);
}

Value feedForward(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x) {
  Tape& tape = pass.tape();
  const Value up = linear(tape, x, pass.weight(weights + "c_fc.weight"), pass.bias(weights + "c_fc.bias"));
  const Value active = config.hasGatedMlp() ? gatedUp(pass, config, up)
                                            : activate(tape, pass.point("mlp.hook_pre", up),
                                                       nonlinearityOf(config.activation));
  const Value post = pass.point("mlp.hook_post", active);  // [T, F]
  return linear(tape, post, pass.weight(weights + "c_proj.weight"), pass.bias(weights + "c_proj.bias"));
}

}  // namespace glassformer
