#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Why the selected token looks where it does: one score of the selected head as a table of who wrote the
/// query times who wrote the key.
Scene scoreTableScene(const SceneInput& input);

}  // namespace glassformer
