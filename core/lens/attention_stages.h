#pragma once
#include <string>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What lies between a head's queries and keys and its pattern, one operation at a time. The pass computes
/// some of these together and writes over others; here each is a tensor [T, S] of its own,
/// "lens.scaled.L2H0".
namespace stages {
inline constexpr const char *products = "lens.products",  ///< q · kᵀ
    *scaled = "lens.scaled",           ///< q · kᵀ / √K, where positions shift it afterwards
        *bias = "lens.position_bias",  ///< what positions add to the scores
            *scores = "lens.scores",   ///< before the mask; see attention_plane.h
                *mask = "lens.mask",   ///< 0 and −∞: what masking adds; 1 and 0 where it comes afterwards
                    *exponentials = "lens.exp",       ///< exp(s − max s), with the maximum of each row
                        *sums = "lens.exp_sum",       ///< [T, 1]: the sum of each row of these
                            *zeroed = "lens.zeroed",  ///< m ⊙ A₀: 0 where a key is hidden
                                *left = "lens.left",  ///< [T, 1]: what is left of each row, to divide by
                                    *heads = "lens.heads";  ///< [T, H·K]: what all heads computed, side
                                                            ///< by side
/// Scores before c tanh(s / c), where they are capped.
inline constexpr const char* uncapped = "lens.uncapped";
}  // namespace stages

/// Which of them a head of this config has.
bool hasProducts(const ModelConfig& config, AttentionSite site);
bool hasScaled(const ModelConfig& config, AttentionSite site);
bool hasCap(const ModelConfig& config, AttentionSite site);
bool hasPositionBias(const ModelConfig& config, AttentionSite site);
/// Whether some key is hidden from some query before, or after, scores become shares.
bool isMaskedBefore(const ModelConfig& config, AttentionSite site);
bool isMaskedAfter(const ModelConfig& config, AttentionSite site);
/// Whether rows are divided by what they sum to: what a mask has left of them, or linear attention's scores.
bool isRenormalized(const ModelConfig& config, AttentionSite site);
/// exp(s) / Σ exp(s) is how its scores become shares.
bool hasSoftmax(const ModelConfig& config);

/// The rows [T, K] of one head of a table [T, H', K], whose heads others may share.
TensorView headRows(const TensorView& table, int head, int heads);

/// "lens.scaled.L2H0".
std::string stageTensor(const char* stage, HeadId head);

/// Adds those that this head has, but its scores, each with what made its numbers.
void measureAttentionStages(const Transformer& model, const Trace& trace, HeadId head, TensorSet& set);

}  // namespace glassformer
