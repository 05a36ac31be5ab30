#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The model as its own diagram: the residual stream rising from the embedding to the logits, each block's
/// attention and MLP beside it. Where the stepper stands is lit, and where the number that is pointed at
/// comes about, in whichever view; a click goes there. Taller than the given size if need be.
Scene modelMapScene(const SceneInput& input);

}  // namespace glassformer
