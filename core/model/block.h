#pragma once
#include <string>

#include "core/model/pass.h"

namespace glassformer {

/// One pre-norm block on the residual stream x [T, D]: x' = x + attention(norm(x)), x'' = x' +
/// feedForward(norm(x')). `weights` is the prefix of its parameters, "h.0.".
Value block(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x);

/// Layer norm with the weights `weights`.{weight, bias}, traced as `name`.hook_scale and
/// `name`.hook_normalized. [T, D]
Value normalize(Pass& pass, const ModelConfig& config, const std::string& weights, const std::string& name,
                const Value& x);

}  // namespace glassformer
