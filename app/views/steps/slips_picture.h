#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// What ViewSettings::choices calls the slip that is shown.
inline constexpr const char* slipChoice = "step.slip";

/// A formula as it is often printed beside what is meant (core/lens/slips.h), of the selected block and head:
/// both results and their difference, or a product that is refused, with the inner sizes that do not meet.
Scene slipScene(const SceneInput& input);

namespace needs {
extern const Need slipOfHead;
}  // namespace needs

}  // namespace glassformer
