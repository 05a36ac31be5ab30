#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// Decoding as a strip: the tokens of the text with their positions, then the tokens that the chosen strategy
/// would append, with their probabilities. A click on a token of the text selects its position; a click on
/// one to come accepts everything up to it. Where room is short the beginning of the text is left out.
Scene timelineScene(const SceneInput& input);

}  // namespace glassformer
