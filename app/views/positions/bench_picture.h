#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The models that ship as positions/..., each a line: how often it goes on right, over texts as long as in
/// training and longer. Of every model that is open, whatever its positions.
Scene positionBenchScene(const SceneInput& input);

}  // namespace glassformer
