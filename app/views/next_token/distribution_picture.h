#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The next token at the selected position: the most probable ones as bars beside the logits that softmax
/// made them of, the entropy, and beside each token its probability were the model to stop after each
/// sublayer (logit lens), under that sublayer's own favourite. A click on a token appends it, where the
/// selected position is the last. Of a difference the tokens are those whose probability changes most.
Scene distributionScene(const SceneInput& input);

}  // namespace glassformer
