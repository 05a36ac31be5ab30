#pragma once
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/watch.h"

namespace glassformer {

/// How a token's two vectors lie to each other: its row of E, by which it is read, and its column of W_U, by
/// which it is predicted (Press & Wolf 2017). Where the two are tied they are the same tensor, and every
/// cosine is 1.
namespace unembedding {
inline constexpr const char *cosine = "unembedding.cosine",  ///< [V]: E_v · W_U,v / (‖E_v‖ ‖W_U,v‖)
    *count = "unembedding.count",                            ///< [Z]: tokens by their cosine
        *from = "unembedding.from",                          ///< [Z]: where each of these intervals begins
            *mean = "unembedding.mean";                      ///< [1]
/// Equal intervals from −1 to 1.
inline constexpr int intervals = 40;

/// Whose rows they are, among the model's weights.
inline constexpr const char* embeddingWeights = "wte.weight";
inline const char* unembeddingWeights(const ModelConfig& config) {
  return config.tiedUnembedding ? embeddingWeights : "lm_head.weight";
}
}  // namespace unembedding

/// Adds these of a model. A vector of zeros has no direction: NaN, which no interval counts. Stopped by the
/// watch it adds nothing.
void measureUnembedding(const Transformer& model, TensorSet& set, const ProgressCallback& watch = noProgress);

}  // namespace glassformer
