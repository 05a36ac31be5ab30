#include "core/model/convolution.h"

#include "core/tensor/operations/convolution.h"
#include "core/tensor/operations/linear.h"

namespace glassformer {

Value convolution(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x) {
  Tape& tape = pass.tape();
  const int J = config.kernelWidth;
  const Value products = linear(tape, x, pass.weight(weights + "c_taps.weight"));         // [T, J·D]
  const Value taps = pass.point("convolution.hook_taps", delayed(tape, products, J), J);  // [T, J, D]
  return sumOfHeads(tape, taps, J, 'j', pass.bias(weights + "c_taps.bias"));              // [T, D]
}

}  // namespace glassformer
