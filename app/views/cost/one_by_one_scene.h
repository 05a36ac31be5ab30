#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// Under the mask, one token at a time is all at once: the text's rows computed one after the other, each
/// from the keys and values that are kept, against those of one pass over all of it; the largest difference
/// at every trace point, block by block.
Scene oneByOneScene(const SceneInput& input);

namespace needs {
/// steps.*: see above.
extern const Need oneByOne;
}  // namespace needs

}  // namespace glassformer
