#pragma once
#include "app/drawing/scene_input.h"
#include "app/engine/need.h"

namespace glassformer {

/// The learning rate of Vaswani et al. 2017, η = D^−½ · min(step^−½, step · warmup^−1½), for several widths
/// and warm-ups, with the schedule of the run that is shown among them, where there is one.
Scene scheduleScene(const SceneInput& input);

namespace needs {
/// training.rate_2017 [Z, N] and training.schedule_step [N].
extern const Need schedulesOf2017;
}  // namespace needs

}  // namespace glassformer
