#pragma once
#include <string>

#include "core/model/pass.h"

namespace glassformer {

/// Multi-head causal self-attention (Vaswani et al. 2017): softmax(mask(q kᵀ / √K)) v per head, then all
/// heads' results through W_O. x [T, D] normalized; returns what is added to the residual stream, [T, D].
Value attention(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x);

}  // namespace glassformer
