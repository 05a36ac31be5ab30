#pragma once
#include <string>
#include <vector>

#include "app/drawing/scene_input.h"

namespace glassformer {

/// The model as its own diagram: the residual stream rising from the embedding to the logits, each block's
/// attention and MLP beside it. Where the stepper stands is lit, and where the number that is pointed at
/// comes about, in whichever view, of a weight where it is read; a click goes there. Outlined are the same
/// parts of the numbers of `made`, by their tensors: what an opened number is made of. Taller than the given
/// size if need be.
Scene modelMapScene(const SceneInput& input, const std::vector<std::string>& made = {});

}  // namespace glassformer
