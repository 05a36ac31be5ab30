#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The tokens of the text, or of its source, in one line, the chosen one marked; at the end of the text, with
/// `saysNext`, the token that comes next and its probability. Of a long text as many of the last tokens as
/// there is room for.
Scene textLineScene(const SceneInput& input, Stream stream, bool saysNext);

}  // namespace glassformer
