#pragma once
#include "core/lens/prediction.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

// What made a number of the logit lens: the read-out of the stream at a place, run again over the whole text.
// All borrow the model and the pass.

/// p of an entry, were the model to stop at that place.
MultiPassDerivation stoppedAcross(const Transformer& model, const Trace& trace, int place, Prediction of);
/// How undecided it would be there: H = −Σ p ln p at a position.
MultiPassDerivation entropyAcross(const Transformer& model, const Trace& trace, int place, int position);
/// By how much what a sublayer adds moves it: p stopped behind it − p stopped before it. `place` is at
/// least 1.
MultiPassDerivation promotionAcross(const Transformer& model, const Trace& trace, int place, Prediction of);

}  // namespace glassformer
