#pragma once
#include <span>

#include "core/model/config.h"
#include "core/tensor/tensor.h"
#include "core/trace/trace.h"

namespace glassformer {

// What a head does, measured on its patterns. Every function returns one score per head, [L, H], between 0
// and 1. For models that attend. What else a head may do is in head_rules.h.

/// Mean attention of each token to the one before it (Elhage et al. 2021).
Tensor previousTokenScores(const Trace& trace, const ModelConfig& config);

/// On tokens that are said again after `period`: mean attention, during the repeat, to the token that
/// followed the last time (Olsson et al. 2022).
Tensor inductionScores(const Trace& trace, const ModelConfig& config, int firstRepeated, int period);

/// Attention of position `query` to the positions `keys`, summed.
Tensor attentionTo(const Trace& trace, const ModelConfig& config, int query, std::span<const int> keys);

}  // namespace glassformer
