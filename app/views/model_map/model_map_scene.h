#pragma once
#include <string>
#include <vector>

#include "app/drawing/scene_input.h"

namespace glassformer {

/// The model as its own diagram: the residual stream rising from the embedding to the logits, each block's
/// attention and MLP beside it. Where the stepper stands is lit, and where the number that is pointed at
/// comes about, in whichever view; a click goes there. Outlined are the parts in which numbers of `made`, by
/// their tensors, come about: what an opened number is made of. Taller than the given size if need be.
Scene modelMapScene(const SceneInput& input, const std::vector<std::string>& made = {});

}  // namespace glassformer
