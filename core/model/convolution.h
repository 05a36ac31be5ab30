#pragma once
#include <string>

#include "core/model/pass.h"

namespace glassformer {

/// A causal convolution over x [R, D] with J taps, each a matrix of its own: every token sees itself and the
/// J − 1 before it (van den Oord et al. 2016). y_t = Σ_{j<J} x_{t−j} · W_j + b; before the beginning x is 0.
/// Returns [R, D].
Value convolution(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x);

}  // namespace glassformer
