#pragma once
#include "app/scene/scene_input.h"

namespace glassformer {

/// Attention, in the layout that is chosen (app/scene/attention/layouts.cpp): which token looks at which, in
/// one head or several; beside it the patterns of all heads as thumbnails, by which heads are chosen.
Scene attentionScene(const SceneInput& input);

}  // namespace glassformer
