#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// How sampling chooses the token after the selected one: the distribution after every stage, what each took
/// out, and the draw.
Scene samplingScene(const SceneInput& input);

}  // namespace glassformer
