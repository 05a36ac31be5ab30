#pragma once
#include "core/trace/trace.h"

namespace glassformer {

/// What comes next after a position, of all V entries: p = softmax(z), and ln p, each [V].
struct Distribution {
  TensorView p, logP;
};

/// Adds lens.probability.t and lens.log_probability.t of position t; they are read there, as long as the set
/// is. The pass is borrowed.
Distribution measureDistribution(const Trace& trace, int position, TensorSet& set);
/// Measures it alone on a pass that was run again.
Distribution distributionAt(ReplayedPass& pass, int position);

/// H = −Σ_v p ln p.
Derivation derivedEntropy(const Distribution& of);
/// KL(p ‖ q) = Σ_v p (ln p − ln q).
Derivation derivedDivergence(const Distribution& p, const Distribution& q);

}  // namespace glassformer
