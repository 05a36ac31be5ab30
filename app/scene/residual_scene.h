#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// How long each token's residual vector is after every half-layer, as lines and as a heatmap over the same
/// places; beside it how much attention and MLP of each block add for the selected token.
Scene residualScene(const SceneInput& input);

}  // namespace glassformer
