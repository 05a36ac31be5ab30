#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// The loss over a plane of weight space through the model's own weights: as a surface that can be turned, or
/// from above.
Scene landscapeScene(const SceneInput& input);

}  // namespace glassformer
