#pragma once
#include <string>

#include "core/lens/head_id.h"
#include "core/lens/prediction.h"
#include "core/model/transformer.h"
#include "core/trace/interventions.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What a prediction's gradient reaches of one head: ∂z/∂q_t, ∂z/∂k_s and ∂z/∂v_s of z = logit[t, v], by two
/// passes backward with the same weights: with softmax, and with the hard argmax in its place in every
/// attention. An argmax does not change until another key wins, so nothing gets through it: queries and keys
/// have a gradient of exactly 0 there, the key that is selected too, and W_Q and W_K learn nothing. Only the
/// values that are selected do.
///
/// The softmax may be that of another temperature τ, softmax(s / τ), in every attention: the nearer to 0, the
/// more it is argmax. At 0 exactly both are.
///
/// Letter Z counts the two: 0 softmax, 1 argmax. `part` is "q", "k" or "v".
namespace headGradient {
inline constexpr const char *logit = "lens.gradient_logit",  ///< [Z]: z itself in either pass
    *selected = "lens.gradient_selected";                    ///< [T, S]: the pattern under argmax
std::string vectors(const std::string& part);                ///< [Z, T, K] or [Z, S, K]: ∂z/∂q
std::string norms(const std::string& part);                  ///< [Z, T] or [Z, S]: ‖∂z/∂q‖
inline constexpr int softmax = 0, argmax = 1;
}  // namespace headGradient

/// Why they are not measured of an attention; empty where they are.
std::string whyNoHeadGradients(const ModelConfig& config);

/// Adds these for a head. `interventions` are those that the trace went through;
/// an argmax in place of this head's softmax is left out of them, for it is one of the two. The config must
/// allow it.
void measureHeadGradients(const Transformer& model, const Trace& trace, const Interventions& interventions,
                          HeadId head, Prediction of, TensorSet& set, float temperature = 1);

}  // namespace glassformer
