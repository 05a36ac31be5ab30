#pragma once
#include <memory>
#include <span>
#include <vector>

#include "app/engine/need.h"
#include "core/tensor/aligned_vector.h"

namespace glassformer {

/// What of the loss's gradient reaches the vectors of each token, from both ends: through the embedding, by
/// which it is read, and through the unembedding, by which it is predicted (Press & Wolf 2017). The loss is
/// the mean −ln p of the text's next tokens; the model has no interventions.
namespace bothEnds {
inline constexpr const char *through = "gradient.through",  ///< [2, V]: ‖∂L/∂E_v‖ through the embedding, and
                                                            ///< through the unembedding
    *together = "gradient.together",      ///< [V]: of their sum, where both are one tensor
        *cosine = "gradient.cosine",      ///< [V]: between the two; NaN: one of them is 0
            *all = "gradient.all",        ///< [3]: of all tokens: the two, and their sum
                *loss = "gradient.loss";  ///< [1]
}  // namespace bothEnds

/// Both gradients [V, D], by a pass backward through the same weights with an unembedding of its own, which
/// holds the same numbers where the model ties the two.
struct EndGradients {
  AlignedVector in, out;
  double loss = 0;
};
/// `tokens`: at least two. `source`: what the model reads beside them, if it does.
EndGradients gradientsAtBothEnds(const Transformer& model, std::span<const int> tokens,
                                 std::span<const int> source, int threads);

namespace needs {
/// gradient.*: see above.
extern const Need endsOfEmbedding;
}  // namespace needs

}  // namespace glassformer
