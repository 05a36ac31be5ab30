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
PassAgain passAgain(std::string name, const std::shared_ptr<const Transformer>& model, const Trace& read,
                    const Interventions& interventions);
/// The pass that is at hand, with its name.
PassAgain passAtHand(std::string name, std::shared_ptr<const Trace> trace);

/// KL(p ‖ p changed) = Σ_v p (ln p − ln p changed) of the distribution at a position.
AcrossPasses divergenceAcross(PassAgain whole, PassAgain changed, int position);
/// By how much an answer's lead over another one changes: see lead().
AcrossPasses leadAcross(PassAgain whole, PassAgain changed, int position, int answer, int other);
/// The mean of that over several changes, each a pass of its own; one at least.
AcrossPasses meanLeadAcross(PassAgain whole, std::vector<PassAgain> changed, int position, int answer,
                            int other);
/// 1 where another entry is the likeliest at a position, else 0.
AcrossPasses anotherAnswerAcross(PassAgain whole, PassAgain changed, int position);
/// The largest |Δz| of a position's logits.
AcrossPasses furthestAcross(PassAgain whole, PassAgain changed, int position);
/// By how much the mean loss of the counted tokens rises.
AcrossPasses lossAcross(PassAgain whole, PassAgain changed, const CountedTokens& counted = {});
/// By how much the mean logit of the counted tokens rises.
AcrossPasses nextLogitAcross(PassAgain whole, PassAgain changed, const CountedTokens& counted = {});
/// The mean of KL(p ‖ p changed) over some positions.
AcrossPasses meanDivergenceAcross(PassAgain whole, PassAgain changed, const std::vector<int>& positions);
/// p of an entry, in the pass with the change.
AcrossPasses probabilityAcross(PassAgain changed, Prediction of);

}  // namespace glassformer
