#pragma once
#include "core/model/pass.h"

namespace glassformer {

/// The layer that some models have between their last block and the unembedding (Devlin et al. 2018, of the
/// masked language model): h = LN(f(x · W + b)), with x and h [T, D].
Value headTransform(Pass& pass, const ModelConfig& config, const Value& x);

/// The logits of classes, u_C = n · W_Cᵀ [T, classes], beside those of tokens: n is the final stream [T, D],
/// or its mean over tokens. Row t says what the text up to there is, the last one what all of it is.
void classHead(Pass& pass, const ModelConfig& config, const Value& x);
inline constexpr const char* classLogits = "class_head.hook_logits";
inline constexpr const char* pooledForClasses = "class_head.hook_pooled";

/// Its f: that of the MLPs, or GELU where these are gated, or where there are none.
Activation headActivation(const ModelConfig& config);

}  // namespace glassformer
