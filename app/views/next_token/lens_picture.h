#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The logit lens along the text: places of the residual stream down, positions across, in each cell the
/// token that would be likeliest were the model to stop there, coloured by its probability.
Scene nextTokenLensScene(const SceneInput& input);

}  // namespace glassformer
