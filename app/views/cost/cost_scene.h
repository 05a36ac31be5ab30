#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// What each way of mixing tokens costs, against T: the multiply-adds of a block as wide as the open model's,
/// counted from the operations that its pass consists of, beside the seconds that this machine takes. Those
/// of the mixing alone, or of the projections around it too.
Scene mixingCostScene(const SceneInput& input);
Scene blockCostScene(const SceneInput& input);

namespace needs {
/// cost.*: see above.
extern const Need cost;
}  // namespace needs

}  // namespace glassformer
