#pragma once
#include <string>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// "lens.position_scores.L0H1" and "lens.other_scores.L0H1".
std::string positionScoresOf(HeadId head);
std::string otherScoresOf(HeadId head);

/// Whether positions are added to the stream that this head reads, and compared by a product.
bool hasPositionScores(const ModelConfig& config, HeadId head);

/// What positions alone contribute to a head's scores before the mask, [T, S]. The norm in front of attention
/// is n = γ ⊙ (x − mean(x)) / σ + β; with σ of each token held fixed it is linear in x = e + p, so
///
///   n = n_e + n_p + β,  n_p[t] = γ ⊙ (p[t] − mean(p[t])) / σ[t],
///   position_scores[t, s] = (n_p[t] · W_Q) · (n_p[s] · W_K) / √K,
///   other_scores = scores − position_scores: every product in which tokens or biases have a part.
///
/// In block 0 that is exact up to the norm, for σ also depends on the token. In later blocks p is what of the
/// position arrives directly along the residual stream; what earlier blocks made of it is among the others.
/// Without a norm in front, n_p = p. Adds nothing where hasPositionScores says no.
void measurePositionScores(const Transformer& model, const Trace& trace, HeadId head,
                           TensorSet& measurements);

}  // namespace glassformer
