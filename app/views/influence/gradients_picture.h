#pragma once
#include "app/engine/need.h"
#include "app/views/influence/influence_picture.h"

namespace glassformer {

/// How sensitive the chosen prediction's logit is to every query, key and value of the selected head: through
/// softmax, and through a hard argmax in its place; with the vectors of the token under the pointer.
void drawGradientsPicture(InfluencePicture& picture, Box area);

namespace needs {
/// lens.gradient_*: see core/lens/head_gradients.h.
extern const Need headGradients;
}  // namespace needs

}  // namespace glassformer
