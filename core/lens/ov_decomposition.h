#pragma once
#include <string>

#include "core/lens/head_id.h"
#include "core/lens/prediction.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// What a head writes towards one logit, or the difference of two, as an exact table (Elhage et al. 2021, "OV
/// circuit"): from which key, times who wrote the value there. At query t the head adds z_t · u to the logit,
/// the scale of every norm on the way from there held fixed. z_t is the mean of values by the pattern A, and
/// with the scale of every norm on the way to each key held fixed, values are linear in what was written into
/// the stream that they read (across, the encoder's), so
///   z_t · u = Σ_s Σ_w A[t,s] · v_w,s · u.
/// Letter O counts those who wrote; see writerName(). What interventions make of values and of z is nobody's.
namespace output {
inline constexpr const char *table = "lens.output_table",    ///< [S, O]: keys down, who wrote across
    *values = "lens.output_values",                          ///< [S, O, K]: each part's share of the value
        *worth = "lens.output_worth",                        ///< [K]: u
            *fromKey = "lens.output_from_key",               ///< [S]: the table's rows summed
                *fromWriter = "lens.output_from_writer",     ///< [O]: its columns summed
                    *dimensions = "lens.output_dimensions",  ///< [K]: z_t ⊙ u
                        *interventions = "lens.output_changed",  ///< [1]: what interventions add
                            *sum =
                                "lens.output_sum";  ///< [1]: all of it, the head's contribution to the logit
/// Of the table what a list of the largest leaves out: see OthersOf.
/// The same with all that a block wrote as one; see writersByBlock().
inline constexpr const char *blockTable = "lens.output_block_table",  ///< [S, b]
    *fromBlock = "lens.output_from_block";                            ///< [b]
}  // namespace output

/// Why what a head writes towards a logit cannot be taken apart; empty where it can.
std::string whyNoOutputTable(const ModelConfig& config, HeadId head);
/// The same where it looks at so many tokens: all shares of values are kept, up to 64 MB of them.
std::string whyNoOutputTable(const Transformer& model, HeadId head, int keys);

/// Adds these for one logit, or how far it is ahead of another, at the query that it is predicted from. Model
/// and text must allow it. Stopped by the watch it adds nothing.
void measureOutputTable(const Transformer& model, const Trace& trace, HeadId head, const AnswerMetric& logit,
                        TensorSet& set, const ProgressCallback& watch = noProgress);

}  // namespace glassformer
