#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The loss's gradient at the vectors of tokens, from both ends: how much reaches a row of E through the
/// embedding and how much through the unembedding, the angle between the two, and their sum, which is what a
/// tied matrix learns from. The tokens of the text first, then those that are pushed most.
Scene bothEndsScene(const SceneInput& input);

}  // namespace glassformer
