#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// What the model reads: the tokens of the text with their ids and bytes, the merges by which the selected
/// token's word came together, and the row of the embedding that its id becomes.
Scene tokensScene(const SceneInput& input);

}  // namespace glassformer
