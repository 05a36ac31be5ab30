#pragma once
#include <optional>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Attention as a lookup in a table of keys and values: exact, where a key must be the query, as in a
/// dictionary; hard, where the best key's value is taken; or soft, where every value counts by softmax(s /
/// τ). At τ = 1 it is what the head computes; at 0 it is hard.
namespace lookup {
inline constexpr const char *share = "lens.lookup_share",  ///< [T, S]: how much of each value is taken
    *hard = "lens.lookup_hard",                            ///< [T, S]: 1 at the best key, else 0
        *value = "lens.lookup_value",                      ///< [T, K]: what is read out
            *exact = "lens.lookup_exact",     ///< [T, S]: 1 where a key that may be seen is the query, else 0
                *length = "lens.key_length";  ///< [S, 1]: ‖k‖
}  // namespace lookup

/// Adds these for a head, "lens.lookup_share.L2H0", each with what made its numbers; without queries and keys
/// no exact lookup. No temperature: what is read out is found exactly, the mean of all values whose keys are
/// the query, and 0 where none is. Keys are the query where no number differs by more than the 100,000th part
/// of the query's largest.
void measureLookup(const ModelConfig& config, const Trace& trace, HeadId head,
                   std::optional<float> temperature, TensorSet& set);

/// Whether keys are equally long, to the 1000th part: then the largest q · k is the nearest key, for
/// ‖q − k‖² = ‖q‖² + ‖k‖² − 2 q · k. `lengths` [S, 1], of which those count that row `scores` [S] may see.
bool areAsLong(const TensorView& lengths, const TensorView& scores);

}  // namespace glassformer
