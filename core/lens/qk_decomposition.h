#pragma once
#include <cmath>
#include <string>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// One attention score as an exact table (Elhage et al. 2021, "QK circuit"): who wrote the query's side times
/// who wrote the key's. What a head reads is a sum of what was written into a stream; with the scale of every
/// norm on the way of the two tokens held fixed, those of queries and keys themselves among them, query and
/// key are linear in it, and so
///   s = Σ_i Σ_j q_i · k_j / √K (+ what positions add, and what interventions have put into stream, query or
///   key, which no part has written).
/// Of a score that is capped that is what the cap is given: c · tanh(s / c) is no sum.
/// Across, the decoder's parts write queries and the encoder's write keys. Letter O counts those who wrote,
/// on each side those of its stream; see writerName().
namespace score {
inline constexpr const char *table = "lens.score_table",    ///< [O, O]: query's side down, key's side across
    *queries = "lens.score_queries",                        ///< [O, K]: each part's share of the query
        *keys = "lens.score_keys",                          ///< [O, K]: and of the key; turned by positions
            *fromQuery = "lens.score_from_query",           ///< [O]: the table's rows summed
                *fromKey = "lens.score_from_key",           ///< [O]: its columns summed
                    *dimensions = "lens.score_dimensions",  ///< [K]: q ⊙ k / √K
                        *positions = "lens.score_positions",  ///< [1]: what positions add
                            *byHand = "lens.score_by_hand",   ///< [1]: what interventions add; 0: nothing
                                *sum = "lens.score_sum",  ///< [1]: all of it, which is the score before cap
                                                          ///< and mask
                                    *capped =
                                        "lens.score_capped";  ///< [1]: c tanh(s / c), where it is capped
/// What interventions have put in, split by the sides: with δq and δk what query and key have beyond all that
/// was written, Q and K, it is (δq · K + Q · δk + δq · δk) / √K.
inline constexpr const char *byHandQuery = "lens.score_by_hand_query",  ///< [1]: δq · K / √K
    *byHandKey = "lens.score_by_hand_key",                              ///< [1]: Q · δk / √K
        *byHandBoth = "lens.score_by_hand_both",                        ///< [1]: δq · δk / √K
            *queryWritten = "lens.score_query_written",                 ///< [K]: Q
                *keyWritten = "lens.score_key_written",                 ///< [K]: K
                    *queryPutIn = "lens.score_query_put_in",            ///< [K]: δq
                        *keyPutIn = "lens.score_key_put_in";            ///< [K]: δk
/// Of a score less is rounding.
inline double leastByHand(double ofScore) { return 1e-3 * (1 + std::abs(ofScore)); }
/// Of the table what a list of the largest leaves out: see OthersOf.
/// The same with all that a block wrote as one; see writersByBlock().
inline constexpr const char *blockTable = "lens.score_block_table",  ///< [b, b]
    *fromQueryBlock = "lens.score_from_query_block",                 ///< [b]
        *fromKeyBlock = "lens.score_from_key_block";                 ///< [b]
}  // namespace score

/// Why a head's scores cannot be taken apart; empty where they can.
std::string whyNoScoreTable(const ModelConfig& config, AttentionSite site);

/// Adds these for the score of one query and one key. The config must allow it.
void measureScoreTable(const Transformer& model, const Trace& trace, HeadId head, int query, int key,
                       TensorSet& set);

}  // namespace glassformer
