#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// The model's position encodings beside the sinusoidal ones (Vaswani et al. 2017), in the layout that is
/// chosen: see positions/layouts.h.
Scene positionsScene(const SceneInput& input);

}  // namespace glassformer
