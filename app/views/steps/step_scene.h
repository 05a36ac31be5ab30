#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The tensor of the layer stepper's current step as a heatmap, positions down the side, under its name and
/// equation. Steps that exist per head show the selected head.
Scene stepScene(const SceneInput& input);

}  // namespace glassformer
