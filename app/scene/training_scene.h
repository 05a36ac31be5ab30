#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// The run that is open: how far it is, and what happens inside the model while it learns.
Scene trainingScene(const SceneInput& input);

}  // namespace glassformer
