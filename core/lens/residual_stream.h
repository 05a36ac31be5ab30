#pragma once
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The residual stream after every half-layer: embedding, then after attention and after the MLP of each
/// block. Letter P counts these 2L + 1 places.
int residualPlaces(int layers);
/// "embed", "0 attn", "0 mlp", "1 attn", ...
std::string residualPlaceLabel(int place);
/// The trace point that holds it: blocks.i.hook_resid_pre, hook_resid_mid, hook_resid_post.
std::string residualPlacePoint(int place);

/// Adds lens.residual_norm [P, T] (‖x‖ of each token at each place), lens.attention_norm [L, T] and
/// lens.mlp_norm [L, T] (‖a‖ and ‖m‖: how much each adds).
void measureResidualStream(const Trace& trace, int layers, TensorSet& measurements);

/// The trace point with σ of the norm that reads the residual stream at a place: ln1 and ln2 of each block,
/// then ln_final.
std::string normScalePoint(int place, int layers);
/// Adds lens.norm_scale [P, T]: 1 / σ of that norm, by which it stretches each token's residual stream.
void measureNormScales(const Trace& trace, int layers, TensorSet& measurements);

}  // namespace glassformer
