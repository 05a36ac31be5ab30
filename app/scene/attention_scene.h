#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// One attention head large, queries down and keys across, as scores, masked scores or pattern; beside it the
/// patterns of all layers and heads as thumbnails that a click enlarges, and the number under the pointer.
Scene attentionScene(const SceneInput& input);

}  // namespace glassformer
