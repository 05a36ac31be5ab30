#pragma once
#include "core/model/pass.h"

namespace glassformer {

/// What a block attends to besides its own rows, and how.
struct BlockContext {
  AttentionMask mask;             ///< of self-attention
  const Value* memory = nullptr;  ///< the source's rows [R', D], for a decoder that reads
};

/// One transformer block: attention, attention across where there is a memory, and the MLP, each added to the
/// residual stream, with norms where the config has them. Recurrence or convolution stands in attention's
/// place where the config says so.
Value block(Pass& pass, const ModelConfig& config, const std::string& weights, const BlockContext& context,
            const Value& input);

/// Layer or RMS normalization with its two trace points, `name`.hook_scale and `name`.hook_normalized.
Value normalize(Pass& pass, const ModelConfig& config, const std::string& weights, const std::string& name,
                const Value& x);

}  // namespace glassformer
