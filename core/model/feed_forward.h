#pragma once
#include <span>
#include <string>

#include "core/model/pass.h"

namespace glassformer {

/// The MLP: f(x · W_in + b_in) · W_out + b_out, on each token by itself. x [T, D] normalized; returns [T, D].
Value feedForward(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x);

/// The nonlinearity f of an MLP that is not gated.
Nonlinearity nonlinearityOf(Activation activation);
/// f alone, number by number, where it is not gated.
void activate(Activation activation, std::span<const float> x, std::span<float> y);

}  // namespace glassformer
