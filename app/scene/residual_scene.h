#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// The residual stream, in the layout that is chosen: see residual/layouts.h.
Scene residualScene(const SceneInput& input);

}  // namespace glassformer
