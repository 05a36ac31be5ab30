#pragma once
#include <string>
#include <vector>

#include "core/lens/prediction.h"
#include "core/model/transformer.h"
#include "core/trace/interventions.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// The gradient by depth: ∂loss/∂x of every token at every place of the residual stream, backward through the
/// recorded pass; and the same weights without residual connections, without norms and without either, each a
/// forward and a backward pass of its own.
///
/// Where a sublayer adds to the stream, x' = x + f(x), the gradient ∂x'/∂x = 1 + f'(x) splits: through the
/// skip comes what arrives at x', unchanged, times 1; through the sublayer comes the rest (He et al. 2016,
/// Identity Mappings). With the norm behind the sum x is what that has made of it; where the residual is
/// taken from a norm, x is the norm.
///
/// Letter Z counts the variants of depthVariants(). P counts the places (see residual_stream.h); of the three
/// parts the place behind the sum, NaN at the embedding, which is no sum.
namespace depthGradient {
inline constexpr const char *loss = "gradient_loss",  ///< [Z], in nats
    *norms = "gradient_norm",                         ///< [Z, P, T]: ‖∂L/∂x‖
        *mean = "gradient_mean",                      ///< [Z, P]: its mean over the tokens
            *whole = "gradient_whole",                ///< [P, T]: ‖∂L/∂x‖ in front of the sublayer
                *skip = "gradient_skip",              ///< [P, T]: of it, what came through the skip
                    *sublayer = "gradient_sublayer",  ///< [P, T]: and what came through the sublayer
                        *rest = "gradient_rest";  ///< [P, T]: ‖whole − (skip + sublayer)‖, 0 but for rounding
/// The mean over the tokens of one of the last four, [P].
std::string meanOf(const std::string& part);
}  // namespace depthGradient

/// What is left out of a model. The first variant is the model itself.
struct DepthVariant {
  const char* words;  ///< "no residual"
  bool residual = true, norms = true;
};
/// Those that a config can have: only what it has can be left out.
std::vector<DepthVariant> depthVariants(const ModelConfig& config);

/// Of every token the one that comes next, where the model goes on with a text and there is one; else the
/// asked entry at its position alone. Targets::none elsewhere.
std::vector<int> depthTargets(const ModelConfig& config, const Trace& trace, Prediction asked);

/// Adds these of a stack's stream, under residualMeasurement(name, stream); the parts only where there are
/// residual connections. `watch` may stop it: then nothing is added.
void measureDepthGradients(const Transformer& model, const Trace& trace, const Interventions& interventions,
                           Prediction asked, Stream stream, TensorSet& set,
                           const ProgressCallback& watch = noProgress);

}  // namespace glassformer
