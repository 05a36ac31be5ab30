#pragma once
#include <vector>

#include "core/lens/detection_patterns.h"
#include "core/model/config.h"
#include "core/watch.h"

namespace glassformer {

// Attention over all blocks of a stack at once (Abnar & Zuidema 2020). A block passes on what its heads look
// at and, around them, what its residual connection keeps: Â_l = (mean_h A_l + I) / 2, each row with the sum
// 1; without a residual connection mean_h A_l alone. Values, MLPs and norms are left out of it: it says how
// tokens can have come together, not what became of them.
//
// Across, where a text reads a source, each sublayer of the decoder passes on half of what it finds and half
// of what it looks at: its own attention's Â_l, and then, of C_l = mean_h A_l across,
//     X_l = (Â_l · X_{l − 1} + C_l · R_E) / 2,  X_{−1} = 0,
// with R_E the encoder's own rollout: the share of each token of the source in each token's state. What is
// left to 1 in its row is of the text. The paper has models with one input; for two this keeps its rule, that
// a residual connection counts as much as the attention beside it. Flows go through the same graph.

/// [L, T, S]: R_l = Â_l · R_{l − 1} with R_{−1} = I, for every block l how much of each token's state behind
/// it came from each token. Of a stack that attends to itself every row has the sum 1; across it is X_l.
Tensor attentionRollout(const Trace& trace, const ModelConfig& config, AttentionSite site);

/// Adds the rollout as above, every number with what made it, down to the heads' patterns: rolloutOf(site)
/// [L, T, S], and passedOnOf() [L, T, T] of the stacks it takes, of one across also lookedAcross [L, T, S].
void measureRollout(const Trace& trace, const ModelConfig& config, AttentionSite site, TensorSet& set);
/// "lens.rollout", "lens.rollout.across".
std::string rolloutOf(AttentionSite site);
/// Â_l of a stack that attends to itself: "lens.passed_on".
std::string passedOnOf(AttentionSite site);
inline constexpr const char* lookedAcross = "lens.looked_across";  ///< C_l

/// Of every block l the largest flow from a token behind it to those tokens, taken together, that its row
/// claims before the first block, where Â_l[t, s] is the capacity between two: on average over the rows that
/// claim something, of which there is one. What goes through one narrow place counts once, where a product of
/// matrices counts it for every way. Empty where it was stopped.
std::vector<double> claimedFlow(const Trace& trace, const ModelConfig& config, AttentionSite site,
                                const ExpectedPattern& claims, const ProgressCallback& watch = noProgress);

/// Behind a measured rollout it adds lens.flow [T], for one block the flow from each token to those that its
/// row claims; NaN where it claims none. Each is made of a smallest cut, what every way through it lets
/// through.
void measureFlow(const Trace& trace, const ModelConfig& config, AttentionSite site, int layer,
                 const ExpectedPattern& claims, TensorSet& set);

/// Which tokens what has come together is asked about: the stock hypotheses of where heads look, and the
/// token that comes next where it has been said before (a question's answer in its text).
std::vector<DetectionPattern> tokenClasses();

}  // namespace glassformer
