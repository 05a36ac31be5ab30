#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// The whole model on one page with its numbers in: words at the left, each one's residual stream through
/// all blocks, as thick as it is long, below it the patterns of every block's heads and the neurons of its
/// MLP, and at the right what comes next. A click on a part opens it.
Scene wholeModelScene(const SceneInput& input);

namespace needs {
extern const Need partsOfModel;
}

}  // namespace glassformer
