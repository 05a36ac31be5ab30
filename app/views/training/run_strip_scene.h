#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The loss of the open run in small, which is also the slider through its history: a click or a drag shows
/// every view as it was at that step.
Scene runStripScene(const SceneInput& input);

}  // namespace glassformer
