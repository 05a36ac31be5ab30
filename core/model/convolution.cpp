#include "core/model/convolution.h"

#include "core/tensor/operations/convolution.h"
#include "core/tensor/operations/elementwise.h"
#include "core/tensor/operations/linear.h"

namespace glassformer {
namespace {

// Every tap's products [R, J·B], each at the token that it is read from, summed where they are read [R, B].
Value tapped(Pass& pass, const ModelConfig& config, const Value& products, const Weight& bias) {
  const int J = config.kernelWidth;
  const Value taps = pass.point("convolution.hook_taps",
                                delayed(pass.tape(), products, J, config.tapsAhead()), J);  // [T, J, B]
  return sumOfHeads(pass.tape(), taps, J, 'j', bias);
}

}  // namespace

Value convolution(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x) {
  Tape& tape = pass.tape();
  const auto weight = [&](const char* name) { return pass.weight(weights + name + ".weight"); };
  const auto bias = [&](const char* name) { return pass.bias(weights + name + ".bias"); };
  if (config.filters == Filters::Depthwise)
    return tapped(pass, config, tapProducts(tape, x, weight("c_depthwise")), bias("c_depthwise"));
  const auto full = [&](const Value& read) {
    return tapped(pass, config, linear(tape, read, weight("c_taps")), bias("c_taps"));
  };
  if (config.filters == Filters::Full) return full(x);

  const auto relu = [&](const char* before, const char* after, const Value& u) {
    return pass.point(after, activate(tape, pass.point(before, u), Nonlinearity::Relu));  // [T, B]
  };
  const Value reduced = relu("convolution.hook_reduced_pre", "convolution.hook_reduced",
                             linear(tape, x, weight("c_reduce"), bias("c_reduce")));
  const Value mixed = relu("convolution.hook_mixed_pre", "convolution.hook_mixed", full(reduced));
  return linear(tape, mixed, weight("c_proj"), bias("c_proj"));
}

}  // namespace glassformer
