#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// The model's position encodings beside the sinusoidal ones (Vaswani et al. 2017): either both tables as
/// heatmaps with the chosen dimension of each as a curve over position, or how similar any two positions are.
Scene positionsScene(const SceneInput& input);

}  // namespace glassformer
