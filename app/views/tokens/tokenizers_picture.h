#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// One text cut in several ways, from bytes to words: single bytes, characters, what the model's own merges
/// have joined when only the first of them are known, and words. The fewer the tokens, the larger the
/// vocabulary that they are from.
Scene cutsScene(const SceneInput& input);

}  // namespace glassformer
