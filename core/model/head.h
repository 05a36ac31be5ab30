#pragma once
#include "core/model/pass.h"

namespace glassformer {

/// The layer that some models have between their last block and the unembedding (Devlin et al. 2018, of the
/// masked language model): h = LN(f(x · W + b)), with x and h [T, D].
Value headTransform(Pass& pass, const ModelConfig& config, const Value& x);

/// Its f: that of the MLPs, or GELU where these are gated, or where there are none.
Activation headActivation(const ModelConfig& config);

}  // namespace glassformer
