#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Speculative decoding: what a smaller model proposed, pass by pass, what was accepted, and, for one token,
/// why what comes is distributed as if the model itself had drawn it.
Scene draftedScene(const SceneInput& input);

}  // namespace glassformer
