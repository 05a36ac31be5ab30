#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Down the text: what the model expected after each token, likeliest first, and the surprise −ln p of what
/// really follows. Where that is among those listed, it is framed.
Scene nextTokenTextScene(const SceneInput& input);

}  // namespace glassformer
