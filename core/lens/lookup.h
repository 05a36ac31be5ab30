#pragma once
#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Attention as a lookup in a table of keys and values: hard, where the best key's value is taken, or soft,
/// where every value counts by softmax(s / τ). At τ = 1 it is what the head computes; at 0 it is hard.
namespace lookup {
inline constexpr const char *share = "lens.lookup_share",  ///< [T, S]: how much of each value is taken
    *hard = "lens.lookup_hard",                            ///< [T, S]: 1 at the best key, else 0
        *value = "lens.lookup_value";                      ///< [T, K]: what is read out
}  // namespace lookup

/// Adds these for a head, "lens.lookup_share.L2H0", each with what made its numbers.
void measureLookup(const ModelConfig& config, const Trace& trace, HeadId head, float temperature,
                   TensorSet& set);

}  // namespace glassformer
