#pragma once
#include <vector>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// One query's row of a head, from its attention weights to the residual stream: every value times its
/// weight, and their sum z times W_O. Where a picture shows some of the keys alone, the rest of them is a
/// number too: they are listed in an order, and for every count of keys in front the rest is summed. Letter Z
/// counts along that order.
namespace oneQuery {
inline constexpr const char *query = "lens.query",  ///< [1]: which one
    *order = "lens.query_keys",                     ///< [Z]: the keys in that order
        *weighted = "lens.weighted_values",         ///< [S, K]: A[t, s] · v_s
            *output = "lens.query_output",          ///< [D]: z_t · W_O, where a head has a W_O of its own
                *restOfExponentials = "lens.rest_of_exp",     ///< [Z]: Σ exp over the keys from the z-th on
                    *restOfWeights = "lens.rest_of_weights",  ///< [Z]: Σ A
                        *restOfValues = "lens.rest_of_values";  ///< [Z, K]: Σ A · v
}  // namespace oneQuery

/// All keys: those of `first` that there are, then the others by their weights [S], the largest first, of
/// equals the lower one.
std::vector<int> keysInOrder(const TensorView& weights, const std::vector<int>& first);

/// Adds these for a query of a head, named as stageTensor() names its stages, each with what made its
/// numbers: the rest of the exponentials where they are measured already.
void measureOneQuery(const Transformer& model, const Trace& trace, HeadId head, int query,
                     const std::vector<int>& first, TensorSet& set);

}  // namespace glassformer
