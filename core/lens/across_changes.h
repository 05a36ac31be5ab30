#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/lens/prediction.h"
#include "core/lens/token_losses.h"
#include "core/model/live_pass.h"

namespace glassformer {

// What made a number that says what a change does: each is a sum of numbers of the pass as it is, `whole`,
// and of the pass with the change, and opens in either down to the weights. Both are as long as they are
// asked for.

/// Runs a pass again, from nothing: what it has taken over from no other pass is the same.
ReplayedPass passAgain(std::string name, const std::shared_ptr<const Transformer>& model, const Trace& read,
                       const Interventions& interventions);
/// The pass that is at hand, with its name.
ReplayedPass passAtHand(std::string name, std::shared_ptr<const Trace> trace);

/// KL(p ‖ p changed) = Σ_v p (ln p − ln p changed) of the distribution at a position.
MultiPassDerivation divergenceAcross(ReplayedPass whole, ReplayedPass changed, int position);
/// By how much an answer's lead over another one changes: see lead().
MultiPassDerivation leadAcross(ReplayedPass whole, ReplayedPass changed, int position, int answer, int other);
/// The mean of that over several changes, each a pass of its own; one at least.
MultiPassDerivation meanLeadAcross(ReplayedPass whole, std::vector<ReplayedPass> changed, int position,
                                   int answer, int other);
/// 1 where another entry is the likeliest at a position, else 0.
MultiPassDerivation anotherAnswerAcross(ReplayedPass whole, ReplayedPass changed, int position);
/// The largest |Δz| of a position's logits.
MultiPassDerivation furthestAcross(ReplayedPass whole, ReplayedPass changed, int position);
/// By how much the mean loss of the counted tokens rises.
MultiPassDerivation lossAcross(ReplayedPass whole, ReplayedPass changed, const CountedTokens& counted = {});
/// By how much the mean logit of the counted tokens rises.
MultiPassDerivation nextLogitAcross(ReplayedPass whole, ReplayedPass changed,
                                    const CountedTokens& counted = {});
/// The mean of KL(p ‖ p changed) over some positions.
MultiPassDerivation meanDivergenceAcross(ReplayedPass whole, ReplayedPass changed,
                                         const std::vector<int>& positions);
/// p of an entry, in the pass with the change.
MultiPassDerivation probabilityAcross(ReplayedPass changed, Prediction of);

}  // namespace glassformer
